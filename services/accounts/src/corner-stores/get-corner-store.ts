import { queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import {
  type CornerStoreDebts,
  cornerStoreDebtsCall,
  type CornerStoreDebtsQuestion,
  creditUseCall,
  type CreditUseQuestion,
} from '@fiado/contracts/debts';
import { AppError } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { answersOf, type AskedService } from '../ops-views/ask-services';
import { BlockedReadQuery, readReason } from '../privacy/blocked-reads';
import { wholesalerFields } from '../wholesalers/wholesaler';
import { WholesalerRow } from '../wholesalers/wholesaler.entity';
import { In } from '@fiado/chassis/db/typeorm';
import {
  cornerStoreDetails,
  exampleDetails,
  presentCornerStoreDetails,
  presentMaskedCornerStoreDetails,
  READS_PERSONAL_DATA,
} from './corner-store-details';
import { type CornerStoreDetails, SELECT_DETAILS } from './corner-store-details.sql';
import { availableCents } from './corner-store.rules';

const MISSING = ['transactions', 'payments', 'notifier'] as const;

export const getCornerStoreEndpoint = endpoint({
  id: 'getCornerStoreOverview',
  as: 'cornerStores.get',
  tag: 'Ops: corner stores',
  route: 'GET /v1/admin/corner-stores/:cornerStoreId',
  scope: 'viewer',
  summary: 'Get a corner store with its credit line and its debts',
  description:
    'A viewer gets initials and a masked phone number; of a blocked store everybody does, but an approver who ' +
    'gives a `reason`, which is audited. `credit` and `debts` are null while the ' +
    'service that knows them does not answer; it is named in `missing`. What happened to the store ' +
    'is its timeline.',
  query: BlockedReadQuery,
  errors: ['CORNER_STORE_NOT_FOUND'],
  answer: t.object('CornerStoreOverview', {
    cornerStore: t.field(cornerStoreDetails, 'The corner store'),
    wholesalers: t.list(
      t.object('WholesalerName', {
        wholesalerId: fields.wholesalerId,
        name: wholesalerFields.name,
      }),
      'Its wholesalers',
    ),
    credit: t.field(
      t.nullable(
        t.object('CreditUse', {
          creditLimit: fields.creditLimit,
          used: t.field(t.pesos, 'Credit in use', 529),
          available: t.field(t.pesos, 'Credit that is left', 9471),
        }),
      ),
      'Use of its credit line; null while it is not known',
    ),
    debts: t.field(
      t.nullable(
        t.object('CornerStoreDebts', {
          openDebts: t.field(t.count, 'Number of debts that are not paid', 1),
          amountDue: t.field(t.pesos, 'What is left to pay of them', 529),
          overdueDebts: t.field(t.count, 'Number of them that are overdue', 0),
          overdueAmount: t.field(t.pesos, 'What is left to pay of those', 0),
          oldestDueAt: t.timeOrNull('Last day of the oldest open debt', '2026-10-06T05:59:59.999Z'),
          creditBalance: t.field(t.pesos, 'Money that was paid beyond all debts', 0),
          payoutsReserved: t.field(t.pesos, 'Of payouts that wait for a second person', 0),
          recoveryDue: t.field(
            t.pesos,
            'What it owes of money that was taken back after a payout',
            0,
          ),
          numeroReferencia: t.nullable(fields.numeroReferencia),
        }),
      ),
      'What it owes to all wholesalers; null while it is not known',
    ),
    missing: t.list(
      t.oneOf(MISSING),
      'Services that did not answer, so that their part is not here',
    ),
    lenderTimeZone: t.field(t.text, 'Time zone of the lender', 'America/Mexico_City'),
  }),
  example: {
    cornerStore: exampleDetails,
    credit: {},
    debts: {
      numeroReferencia: '000000000018',
    },
    missing: [],
  },
  input: ({ caller: by, id, query: asked }) => ({
    by,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    mayRead: by.scopes.includes(READS_PERSONAL_DATA),
    reason: readReason(by, asked),
  }),
  // A corner store with what the other services know of it. A look at its personal data is audited.
  handle: async (context: Context, { by, cornerStoreId, mayRead, reason }) => {
    const { db, transactions, payments } = context;
    const store = await queryRow<CornerStoreDetails>(db, `${SELECT_DETAILS} WHERE s.id = $1`, [
      cornerStoreId,
    ]);
    if (store === undefined) throw new AppError('CORNER_STORE_NOT_FOUND');
    const isBlocked = store.blockedAt !== null;
    const masked = !mayRead || (isBlocked && reason === undefined);
    if (!masked) {
      const details = isBlocked ? { reason } : {};
      await recordAudit(db, {
        by,
        action: 'corner-store.viewed',
        objectId: cornerStoreId,
        details,
      });
    }
    const line: CreditUseQuestion = { cornerStoreIds: [cornerStoreId] };
    const owner: CornerStoreDebtsQuestion = { cornerStoreId };
    const [wholesalers, { answers, missing }] = await Promise.all([
      db.manager.find(WholesalerRow, {
        where: { id: In(store.customers.map(({ wholesalerId }) => wholesalerId)) },
        order: { id: 'ASC' },
      }),
      answersOf<{ usedCents?: number; debts?: CornerStoreDebts }>(context, {
        transactions: transactions
          .ask(creditUseCall, line)
          // A store without a line has used nothing.
          .then(({ lines }) => ({ usedCents: lines[0]?.usedCents ?? 0 })),
        payments: payments.ask(cornerStoreDebtsCall, owner).then((debts) => ({ debts })),
      }),
    ]);
    const { usedCents, debts } = Object.assign({}, ...answers.map(({ answer }) => answer)) as {
      usedCents?: number;
      debts?: CornerStoreDebts;
    };
    return { store, masked, wholesalers, usedCents, debts, missing };
  },
  present: ({ store, masked, wholesalers, usedCents, debts, missing }, context) => ({
    cornerStore: (masked ? presentMaskedCornerStoreDetails : presentCornerStoreDetails)(
      store,
      context,
    ),
    wholesalers: wholesalers.map(({ id: wholesalerId, name }) => ({ wholesalerId, name })),
    credit: usedCents === undefined ? null : presentCredit(store.creditLimitCents, usedCents),
    debts: debts === undefined ? null : presentDebts(debts),
    missing,
    lenderTimeZone: context.config.TIME_ZONE,
  }),
});

interface ShownCornerStore {
  store: CornerStoreDetails;
  /** Whether it is shown without personal data. */
  masked: boolean;
  wholesalers: WholesalerRow[];
  /** Cents of the limit that orders and debts use; undefined while transactions does not answer. */
  usedCents: number | undefined;
  /** Undefined while payments does not answer. */
  debts: CornerStoreDebts | undefined;
  missing: AskedService[];
}

function presentCredit(limitCents: number, usedCents: number) {
  return {
    creditLimit: amountOf(limitCents),
    used: amountOf(usedCents),
    available: amountOf(availableCents(limitCents, usedCents)),
  };
}

function presentDebts(debts: NonNullable<ShownCornerStore['debts']>) {
  return {
    openDebts: debts.openDebts,
    amountDue: amountOf(debts.amountDueCents),
    overdueDebts: debts.overdueDebts,
    overdueAmount: amountOf(debts.overdueCents),
    oldestDueAt: debts.oldestDueAt,
    creditBalance: amountOf(debts.creditBalanceCents),
    payoutsReserved: amountOf(debts.reservedCents),
    recoveryDue: amountOf(debts.recoveryCents),
    numeroReferencia: debts.numeroReferencia,
  };
}
