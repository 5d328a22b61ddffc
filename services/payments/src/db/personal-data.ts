import {
  CHASSIS_PERSONAL_DATA,
  HARMLESS,
  harmlessColumns,
  type PersonalData,
} from '@fiado/chassis/db/personal-data';
import type { ErasurePart } from '@fiado/chassis/privacy/erase-part';
import { EXPORT_COLUMNS } from '@fiado/chassis/exports/tables.sql';
import { personalTableOf } from '@fiado/chassis/db/marked-columns';
import { DepositDecisionRow } from '../deposits/deposit-decision.entity';
import { DepositRow } from '../deposits/deposit.entity';
import { PayoutRow } from '../payouts/payout.entity';

const OF_USER = 'own.user_id = person.user_id';

/**
 * SQL: whether a deposit has no owner yet and was sent with the reference of `user`, an expression. A deposit that
 * staff took away from the user, or that may belong to two users, is left out.
 */
export const waitsForUser = (deposit: string, user: string): string =>
  `(${deposit}.user_id IS NULL
    AND coalesce(${deposit}.unmatched_reason, '') NOT IN ('unassigned', 'ambiguous')
    AND ${deposit}.numero_referencia IN
      (SELECT numero_referencia FROM credit_balances WHERE user_id = ${user}))`;

const isDepositOfPerson = (deposit: string): string =>
  `(${deposit}.user_id = person.user_id OR ${waitsForUser(deposit, 'person.user_id')})`;

const OF_DEPOSIT = `own.deposit_id IN
  (SELECT id FROM deposits deposit WHERE ${isDepositOfPerson('deposit')})`;

const OF_RECEIVABLE = `own.receivable_id IN
  (SELECT id FROM receivables WHERE user_id = person.user_id)`;

/** Rows that the next release drops. */
const COPY_FOR_RELEASE_BEFORE = 'copies of `waiting_changes` for processes of the release before';

/** The personal data of owners of corner stores in payments. */
export const PERSONAL_DATA: PersonalData = {
  tables: [
    ...CHASSIS_PERSONAL_DATA.tables,
    {
      table: 'credit_balances',
      what: 'payment references and credit balances',
      find: OF_USER,
      kept: 'without end',
      columns: { numero_referencia: 'money' },
    },
    {
      table: 'receivables',
      what: 'debts: amounts, due days and references; the wholesaler’s id of the store',
      find: OF_USER,
      kept: 'without end',
      columns: { id_factura: 'money', external_id: 'wholesaler-names' },
    },
    personalTableOf(DepositRow, {
      what: 'payments, as the payment provider reported them',
      find: isDepositOfPerson('own'),
      kept: 'without end',
    }),
    {
      table: 'deposit_conflicts',
      what: 'reports of a payment that differ from the first one',
      find: OF_DEPOSIT,
      kept: 'without end',
      columns: {
        body: 'payer-text',
        body_hash: { class: 'payer-text', suppress: 'kept' },
      },
    },
    personalTableOf(DepositDecisionRow, {
      what: 'decisions of staff on payments, with their reasons',
      find: OF_DEPOSIT,
      kept: 'without end',
    }),
    {
      table: 'reversal_requests',
      what: 'reversals of payments that their payment providers asked for, with the reasons of both sides',
      find: OF_DEPOSIT,
      kept: 'without end',
      columns: { reason: 'free-text', refusal: 'free-text' },
    },
    {
      table: 'write_offs',
      what: 'debts that were written off, with the reasons of staff',
      find: OF_RECEIVABLE,
      kept: 'without end',
      columns: { reason: 'free-text' },
    },
    personalTableOf(PayoutRow, {
      what: 'payouts of credit balances: bank reference and reason',
      find: OF_USER,
      kept: 'without end',
    }),
    // Erased after the copies below, because a trigger writes what is left of them here.
    {
      table: 'waiting_changes',
      what: 'changes of payments, payouts and debts that wait for a second person',
      find: 'own.target_id = ANY (person.ids)',
      kept: 'until they are decided',
      columns: { payload: 'free-text' },
    },
    {
      table: 'deposit_changes',
      what: COPY_FOR_RELEASE_BEFORE,
      find: OF_DEPOSIT,
      kept: 'until it is decided',
      isInternal: true,
      columns: { payload: 'free-text' },
    },
    {
      table: 'write_off_requests',
      what: COPY_FOR_RELEASE_BEFORE,
      find: OF_RECEIVABLE,
      kept: 'until it is decided',
      isInternal: true,
      columns: { reason: 'free-text' },
    },
    {
      table: 'payment_defaults',
      what: 'debts that were not paid in time; the wholesaler’s id of the store',
      find: OF_USER,
      kept: 'without end',
      columns: { external_id: 'wholesaler-names' },
    },
  ],
  harmless: [
    ...CHASSIS_PERSONAL_DATA.harmless,
    ...EXPORT_COLUMNS,
    harmlessColumns(HARMLESS.fixed, {
      credit_balance_entries: ['cause'],
      deposit_changes: ['kind'],
      deposit_decisions: ['decision'],
      deposits: ['status', 'unmatched_reason'],
      event_owners: ['owner_kind'],
      notices: ['kind', 'state'],
      payouts: ['status'],
      portfolio_days: ['bucket'],
      receivable_entries: ['cause'],
      receivables: ['time_zone'],
      recovery_entries: ['cause'],
      store_time_zones: ['time_zone'],
      waiting_changes: ['kind'],
    }),
    harmlessColumns(HARMLESS.party, { deposits: ['provider_name'] }),
    harmlessColumns(HARMLESS.technical, { deposits: ['last_error', 'request_id', 'traceparent'] }),
    harmlessColumns(HARMLESS.staff, {
      deposit_changes: ['requested_by'],
      deposit_decisions: ['decided_by'],
      payouts: ['requested_by', 'return_requested_by'],
      reversal_requests: ['refused_by'],
      waiting_changes: ['requested_by'],
      write_offs: ['approved_by', 'requested_by'],
      write_off_requests: ['requested_by'],
    }),
    harmlessColumns(HARMLESS.secret, { portfolio_calendar: ['sha256'], reference_key: ['key'] }),
  ],
};

/** Tables of payments whose ids other services keep without a person. */
export const PERSONAL_OBJECTS = ['receivables', 'deposits', 'payouts', 'payment_defaults'];

/** SQL: when money of a user and their store last moved; both are expressions. */
export const lastMoneyOf = (user: string, store: string): string => `greatest(
  (SELECT max(greatest(opened_at, paid_at)) FROM receivables WHERE corner_store_id = ${store}),
  (SELECT max(received_at) FROM deposits WHERE user_id = ${user}),
  (SELECT max(greatest(requested_at, paid_at, returned_at)) FROM payouts
    WHERE corner_store_id = ${store}))`;

/** The part of payments in the erasure of a person. */
export const ERASURE_PART: ErasurePart = {
  service: 'payments',
  data: PERSONAL_DATA,
  objects: PERSONAL_OBJECTS,
  lastMoney: `SELECT ${lastMoneyOf('$1::uuid', '$2::uuid')} AS at`,
};
