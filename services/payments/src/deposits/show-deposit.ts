import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import type { InternalClient } from '@fiado/chassis/clients/internal-client';
import { pendingChange, presentPendingChange } from '@fiado/chassis/four-eyes';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { pendingChangeOf } from '@fiado/chassis/outbox/waiting-changes';
import { actorNamesCall } from '@fiado/contracts/actor-names';
import type { PendingChange } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import { type KnownReference, readingsOf } from '../debts/payment-reference.rules';
import {
  exampleReceivable,
  OPS_RECEIVABLE,
  type OpsReceivable,
  OUTSTANDING,
  presentReceivable,
  receivableFields,
} from '../debts/receivable';
import { findReferences } from '../debts/references';
import { allocationAnswer, findAllocations, presentAllocation } from '../debts/show-receivable';
import { CANDIDATE_REASONS, rankCandidates, similarReferences } from './candidates.rules';
import {
  type Deposit,
  depositFields,
  type DepositView,
  exampleDeposit,
  presentDeposit,
} from './deposit';
import { DepositDecisionRow } from './deposit-decision.entity';
import { presentReversalRequest, type ReversalRequest, reversalRequest } from './own-deposit';
import { REVERSAL_REQUEST } from './reversal-requests.sql';

const DEPOSIT_DECISIONS = ['assigned', 'unassigned', 'reversed'] as const;

/** Open receivables of one user that are candidates; a payer pays the oldest. */
const MAX_OF_USER = 5;

/** Candidates by amount that are due before the payment, and as many after it. */
const MAX_OF_AMOUNT = 5;

const decisionAnswer = t.object('DepositDecision', {
  decision: t.field(t.oneOf(DEPOSIT_DECISIONS), 'What was decided'),
  decidedBy: t.field(
    t.text,
    'Id of the person or of the ops key; `ops` is `OPS_API_KEY`',
    '0a526b3f-4f0e-4a4d-8f1c-7b8e3d335d1e',
  ),
  decidedByName: t.nullable(fields.decidedByName),
  cornerStoreId: t.nullable(fields.cornerStoreId),
  reason: t.nullable(fields.reason),
  decidedAt: fields.decidedAt,
});

export const showDepositEndpoint = endpoint({
  id: 'showDeposit',
  as: 'deposits.show',
  tag: 'Ops: payments',
  route: 'GET /v1/admin/deposits/:depositId',
  scope: 'viewer',
  summary: 'Show a deposit with what it paid',
  description:
    '`candidates` has up to ten debts that an unmatched deposit may be meant for, the likeliest ' +
    'first, each with the reasons: its references lead to the debt or its user (`reference`), or ' +
    'would with one digit corrected (`similar-reference`), or exactly this much is owed (`amount`).',
  errors: ['DEPOSIT_NOT_FOUND'],
  answer: t.object('DepositDetail', {
    ...depositFields,
    paidAt: t.time(
      'Time of the payment: of a debt, that of its last cent',
      '2026-12-02T16:30:02.345Z',
    ),
    userId: t.nullable(fields.userId),
    cornerStoreId: t.nullable(fields.cornerStoreId),
    allocations: t.list(allocationAnswer, 'Money that was used for debts, oldest first'),
    surplus: t.field(t.pesos, 'How much of the deposit went to the credit balance of the user', 0),
    pendingChange,
    reversalRequest,
    decisions: t.list(decisionAnswer, 'What ops decided on the deposit'),
    candidates: t.list(
      t.object('DepositCandidate', {
        ...receivableFields,
        reasons: t.list(t.oneOf(CANDIDATE_REASONS), 'Why the debt is a candidate'),
      }),
      'Debts that the deposit may be meant for, the likeliest first',
    ),
  }),
  example: {
    ...exampleDeposit,
    paidAt: '2026-10-02T15:30:00.000Z',
    userId: null,
    cornerStoreId: null,
    allocations: [],
    decisions: [],
    candidates: [{ ...exampleReceivable, reasons: ['similar-reference', 'amount'] }],
  },
  input: ({ id }) => ({ depositId: id('depositId', 'DEPOSIT_NOT_FOUND') }),
  handle: async ({ db, clock, accounts }: Context, { depositId }) => {
    const deposit = await findDepositDetail(db, depositId);
    if (deposit === undefined) throw new AppError('DEPOSIT_NOT_FOUND');
    const [allocations, decisions, candidates] = await Promise.all([
      findAllocations(db, { depositId }),
      db.manager.find(DepositDecisionRow, {
        where: { depositId },
        order: { unassignments: 'ASC', decidedAt: 'ASC', decision: 'ASC' },
      }),
      deposit.status === 'unmatched' ? findCandidates(db, deposit) : [],
    ]);
    const names = await namesOf(accounts, decisions);
    return { deposit, allocations, decisions, names, candidates, now: clock.now() };
  },
  present: ({ deposit, allocations, decisions, names, candidates, now }, { config }: Context) => ({
    ...presentDeposit(deposit),
    paidAt: deposit.paidAt.toISOString(),
    userId: deposit.userId,
    cornerStoreId: deposit.cornerStoreId,
    allocations: allocations.map(presentAllocation),
    surplus: amountOf(deposit.surplusCents),
    pendingChange: presentPendingChange(deposit.pendingChange),
    reversalRequest: presentReversalRequest(deposit.reversalRequest, deposit.status),
    decisions: decisions.map((one) =>
      t.presentRow(decisionAnswer, one, { decidedByName: names[one.decidedBy] ?? null }),
    ),
    candidates: candidates.map((candidate) => ({
      ...presentReceivable(candidate, now, config.TIME_ZONE),
      reasons: candidate.reasons,
    })),
  }),
});

/**
 * The debts that a deposit may be meant for, the likeliest first: those of the users that its
 * references lead to or resemble, and those of its amount that are due near its payment.
 */
async function findCandidates(db: Db, deposit: DepositDetail) {
  const [known, resembled, ofAmount] = await Promise.all([
    findReferences(db, readingsOf(deposit)),
    findReferences(db, similarReferences(deposit)),
    findCandidatesOfAmount(db, { cents: deposit.valorCents, paidAt: deposit.paidAt }),
  ]);
  const [named, alike] = await Promise.all([
    findNamedCandidates(db, known),
    findNamedCandidates(db, resembled),
  ]);
  return rankCandidates(
    [
      ['reference', named],
      ['similar-reference', alike],
      ['amount', ofAmount],
    ],
    deposit,
  );
}

/** A deposit with whose debt it paid, and how much of it that debt left over. */
interface DepositDetail extends DepositView, Pick<Deposit, 'paidAt' | 'userId'> {
  cornerStoreId: string | null;
  /** The part that went to the credit balance of the user, in cents. */
  surplusCents: number;
  pendingChange: PendingChange | null;
  reversalRequest: ReversalRequest | null;
}

function findDepositDetail(db: Db, depositId: string): Promise<DepositDetail | undefined> {
  return queryRow<DepositDetail>(
    db,
    `SELECT deposits.id, provider_name, id_factura, deposits.numero_referencia, valor_cents,
            fecha_pago, clave_de_pago, status, unmatched_reason, possible_duplicate_of,
            received_at, paid_at,
            deposits.user_id, balance.corner_store_id,
            ${pendingChangeOf('deposits.id')} AS "pendingChange", ${REVERSAL_REQUEST},
            (SELECT coalesce(sum(entry.cents), 0) FROM credit_balance_entries entry
              WHERE entry.user_id = deposits.user_id AND entry.deposit_id = deposits.id
                AND entry.cause IN ('surplus', 'unassigned'))::bigint AS surplus_cents
       FROM deposits LEFT JOIN credit_balances balance USING (user_id)
      WHERE deposits.id = $1`,
    [depositId],
  );
}

/** Names of the people who decided, by id. Without an answer of accounts the deposit is shown without names. */
async function namesOf(
  accounts: InternalClient,
  decisions: DepositDecisionRow[],
): Promise<Record<string, string>> {
  if (decisions.length === 0) return {};
  const actorIds = [...new Set(decisions.map(({ decidedBy }) => decidedBy))];
  try {
    return (await accounts.ask(actorNamesCall, { actorIds })).names;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {};
  }
}

/** The open receivables of the references' users, and those that a reference names in any state. */
function findNamedCandidates(db: Db, references: KnownReference[]): Promise<OpsReceivable[]> {
  if (references.length === 0) return Promise.resolve([]);
  return query<OpsReceivable>(
    db,
    `SELECT ${OPS_RECEIVABLE}
       FROM receivables JOIN credit_balances USING (user_id)
      WHERE receivables.id = ANY($2::uuid[] || ARRAY(
        SELECT owed.id FROM unnest($1::uuid[]) AS known (id), LATERAL (
          SELECT id FROM receivables WHERE user_id = known.id AND paid_at IS NULL
           ORDER BY due_at, id LIMIT ${MAX_OF_USER}) owed))`,
    [
      references.map(({ userId }) => userId),
      references.flatMap(({ receivableId }) => receivableId ?? []),
    ],
  );
}

/** The open receivables of exactly that amount whose last day is nearest to a payment. */
function findCandidatesOfAmount(
  db: Db,
  { cents, paidAt }: { cents: number; paidAt: Date },
): Promise<OpsReceivable[]> {
  const half = (side: string, order: string): string => `
    (SELECT ${OPS_RECEIVABLE}
       FROM receivables JOIN credit_balances USING (user_id)
      WHERE paid_at IS NULL AND ${OUTSTANDING} = $1 AND due_at ${side} $2
      ORDER BY due_at ${order}, receivables.id ${order} LIMIT ${MAX_OF_AMOUNT})`;
  return query<OpsReceivable>(db, `${half('>=', 'ASC')} UNION ALL ${half('<', 'DESC')}`, [
    cents,
    paidAt,
  ]);
}
