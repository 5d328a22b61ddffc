import { endpoint } from '@fiado/chassis/http/endpoint';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { availableCents } from '../domain/corner-store';
import { showCornerStore, type ShownCornerStore } from '../use-cases/show-corner-store';
import {
  cornerStoreDetails,
  exampleDetails,
  presentCornerStoreDetails,
  presentMaskedCornerStoreDetails,
  READS_PERSONAL_DATA,
} from './corner-store-details';
import { EXAMPLE_IDS } from './examples';

const MISSING = ['transactions', 'payments', 'notifier'] as const;

export const getCornerStoreEndpoint = endpoint({
  id: 'getCornerStoreOverview',
  tag: 'Ops: corner stores',
  route: 'GET /v1/admin/corner-stores/:cornerStoreId',
  scope: 'viewer',
  summary: 'Get a corner store with its credit line and its debts',
  description:
    'A viewer gets initials and a masked phone number. `credit` and `debts` are null while the ' +
    'service that knows them does not answer; it is named in `missing`. What happened to the store ' +
    'is its timeline.',
  errors: ['CORNER_STORE_NOT_FOUND'],
  answer: t.object('CornerStoreOverview', {
    cornerStore: cornerStoreDetails,
    wholesalers: t.listOf(t.object('WholesalerName', { wholesalerId: t.uuid, name: t.text })),
    credit: t.nullable(
      t.object('CreditUse', { creditLimit: t.pesos, used: t.pesos, available: t.pesos }),
    ),
    debts: t.nullable(
      t.object('CornerStoreDebts', {
        openDebts: t.count,
        amountDue: t.pesos,
        overdueDebts: t.count,
        overdueAmount: t.pesos,
        oldestDueAt: t.nullable(t.timestamp),
        creditBalance: t.pesos,
        payoutsReserved: t.pesos,
        recoveryDue: t.pesos,
        numeroReferencia: t.nullable(t.text),
      }),
    ),
    missing: t.listOf(t.oneOf(MISSING)),
    lenderTimeZone: t.text,
  }),
  example: {
    cornerStore: exampleDetails,
    wholesalers: [{ wholesalerId: EXAMPLE_IDS.wholesalerId, name: 'Abarrotes del Norte' }],
    credit: { creditLimit: 10_000, used: 529, available: 9471 },
    debts: {
      openDebts: 1,
      amountDue: 529,
      overdueDebts: 0,
      overdueAmount: 0,
      oldestDueAt: '2026-10-06T05:59:59.999Z',
      creditBalance: 0,
      payoutsReserved: 0,
      recoveryDue: 0,
      numeroReferencia: '000000000018',
    },
    missing: [],
    lenderTimeZone: 'America/Mexico_City',
  },
  input: ({ caller: by, id }) => ({
    by,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    masked: !by.scopes.includes(READS_PERSONAL_DATA),
  }),
  handle: async (context: Context, input) => ({
    ...(await showCornerStore(context, input)),
    presentStore: input.masked ? presentMaskedCornerStoreDetails : presentCornerStoreDetails,
  }),
  present: ({ store, presentStore, wholesalers, usedCents, debts, missing }, context) => ({
    cornerStore: presentStore(store, context),
    wholesalers: wholesalers.map(({ wholesalerId, name }) => ({ wholesalerId, name })),
    credit: usedCents === undefined ? null : presentCredit(store.creditLimitCents, usedCents),
    debts: debts === undefined ? null : presentDebts(debts),
    missing,
    lenderTimeZone: context.config.TIME_ZONE,
  }),
});

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
