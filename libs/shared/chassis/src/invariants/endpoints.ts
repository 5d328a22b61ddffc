import {
  CornerStoreSumsQuery,
  DebtsQuery,
  InvariantsQuery,
  type SumsPage,
} from '@fiado/contracts/invariants';
import { pageOf } from '@fiado/contracts/page';
import * as fields from '../openapi/fields';
import * as t from '../openapi/json-schema';
import { readDate } from '@fiado/contracts/request-dates';
import { SERVICES, type Service } from '@fiado/contracts/process-names';
import type { Database, Db } from '../db/database';
import { checkNextRange, type Scan } from './scans';
import { allowLongStatements, query } from '../db/query';
import { endpoint, type Endpoint } from '../http/endpoint';
import { listEndpoint } from '../http/list-endpoint';

const invariantReport = t.object('InvariantReport', {
  service: t.field(t.oneOf(SERVICES), 'Service that was checked'),
  checks: t.list(
    t.object('InvariantCheck', {
      name: t.field(t.text, 'Name of the invariant', 'ledger-balances'),
      holds: t.field(t.flag, 'Whether the invariant holds', true),
      violations: t.list(t.freeForm, 'Rows that break it, at most 20'),
    }),
    'Each invariant',
  ),
  rows: t.field(t.count, 'Rows that were checked', 412),
  done: t.field(t.decimal, 'How much of the service is checked by now, from 0 to 1', 0.42),
  next: t.textOrNull(
    'Where the next range begins; null after the last one',
    'orders:0198d2c0-5a0f-7a71-9f0a-3d4f6f7a1c11',
  ),
});

/**
 * GET /v1/admin/invariants/{service}: checks the invariants of a service for the next range of its
 * rows, for `fiado verify`.
 */
export function invariantsEndpoint<Context extends { db: Database }>(
  service: Service,
  scansOf: (context: Context) => Scan[],
): Endpoint<Context> {
  return endpoint({
    id: `check${capitalized(service)}`,
    as: `invariants.check${capitalized(service)}`,
    tag: 'Ops: operation',
    route: `GET /v1/admin/invariants/${service}`,
    scope: 'viewer',
    summary: `Check the invariants of ${service}`,
    description: 'One range of rows; `next` is where the next one begins.',
    query: InvariantsQuery,
    answer: invariantReport,
    example: { service, checks: [{ violations: [] }], done: 1, next: null },
    input: ({ query: { from, limit, since } }) => ({ from, limit, since: momentOf(since) }),
    handle: (context: Context, { from, since, limit }) =>
      context.db.snapshot(async (tx) => {
        await allowLongStatements(tx);
        return checkNextRange(tx, scansOf(context), { from, since, limit });
      }),
    present: (range) => ({ service, ...range }),
  });
}

type SumsFields<Sums> = {
  [Name in keyof Omit<Sums, 'cornerStoreId'>]: t.Schema<Sums[Name]>;
};

const DIGEST = 'd41d8cd98f00b204e9800998ecf8427e';

/** Sums that several services have. */
export const sumsFields = {
  userId: fields.userId,
  phoneDigest: t.field(t.text, 'Keyed digest of the phone number, to compare services', DIGEST),
  interestRate: t.field(t.text, 'Interest on an order, as text', '0.05'),
  status: t.field(t.text, 'State of the corner store', 'approved'),
  overdue: t.field(t.flag, 'Whether a debt is overdue', false),
  overdueVersion: t.field(t.count, 'Version of its defaults', 2),
  debtsDigest: t.field(t.text, 'Digest of its delivered orders, to compare services', DIGEST),
  customersDigest: t.field(
    t.text,
    'Digest of its customers, to compare services',
    '9e107d9d372bb6826bd81d3542a419d6',
  ),
  settingsDigest: t.field(
    t.text,
    'Digest of its wholesalers’ settings, to compare services',
    'e4d909c290d0fb1ca068ffaddf22cbd0',
  ),
};

/**
 * GET /v1/admin/invariants/{service}/corner-stores: a service's sums, which `fiado verify` compares
 * with those of the others.
 * @param find sums in the order of the corner stores' ids
 */
export function cornerStoreSumsEndpoint<
  Context extends { db: Database },
  Sums extends { cornerStoreId: string },
>(
  service: Service,
  sumsOf: SumsFields<Sums>,
  find: (db: Db, page: SumsPage, context: Context) => Promise<Sums[]>,
): Endpoint<Context> {
  const name = capitalized(service);
  const sums = t.object(`${name}Sums`, {
    cornerStoreId: fields.cornerStoreId,
    ...sumsOf,
  }) as t.Schema<object>;
  return listEndpoint({
    id: `list${name}Sums`,
    as: `invariants.list${name}Sums`,
    tag: 'Ops: operation',
    route: `GET /v1/admin/invariants/${service}/corner-stores`,
    scope: 'viewer',
    summary: `List the sums of each corner store in ${service}`,
    description: 'Ordered by id; amounts in integer cents.',
    query: CornerStoreSumsQuery,
    page: `${name}SumsPage`,
    items: { cornerStores: t.field(sums, 'Facts about each corner store, ordered by id') },
    input: ({ query: { cursor, limit, since } }) => ({ cursor, limit, since: momentOf(since) }),
    find: async (context: Context, { cursor, limit, since }) => {
      const found = await context.db.transaction(async (tx) => {
        await allowLongStatements(tx);
        return find(tx, { cursor, since, limit: limit + 1 }, context);
      });
      return pageOf(found, limit, ({ cornerStoreId }) => cornerStoreId);
    },
    present: (sumsOfStore: object) => sumsOfStore,
  });
}

const debt = t.object('Debt', {
  transactionId: fields.transactionId,
  wholesalerId: fields.wholesalerId,
  userId: fields.userId,
  externalId: t.nullable(fields.externalId),
  principalCents: t.field(t.cents, 'Price of the delivered goods, in cents', 50_000),
  interestCents: t.field(t.cents, 'Interest on the order, in cents', 2500),
  ivaCents: t.field(t.cents, 'IVA on that interest, in cents', 400),
  dueAt: t.time('Last moment to pay on time', '2026-12-07T05:59:59.999Z'),
  paid: t.field(t.flag, 'Whether nothing of it is owed', false),
  inDefault: t.field(t.flag, 'Whether it is in default', false),
  owedPrincipalCents: t.field(t.cents, 'What of it is neither paid nor credited, in cents', 50_000),
  creditedCents: t.field(t.cents, 'What credit notes took off, with interest and IVA, in cents', 0),
  settledNotes: t.field(
    t.count,
    'Its credit notes whose statement, or a later one, was closed at 0 or more',
    0,
  ),
  disputed: t.field(t.flag, 'Whether a dispute of the order is open', false),
  laterDays: t.field(t.count, 'Days that disputes add before it comes into default', 0),
  version: t.field(t.count, 'Version of the receivable', 1),
});

/** A delivered order in transactions, or its receivable in payments. */
type Debt = Omit<t.AnswerOf<typeof debt>, 'dueAt'> & { dueAt: Date };

/** The columns of a Debt, of rows `debt`. A moment has milliseconds, as in an event. */
const DEBT_COLUMNS = `
  debt.transaction_id, debt.wholesaler_id, debt.user_id, debt.external_id, debt.principal_cents,
  debt.interest_cents, debt.iva_cents, debt.due_at, debt.paid, debt.in_default,
  debt.owed_principal_cents, debt.credited_cents, debt.settled_notes, debt.disputed,
  debt.later_days, debt.version`;

/**
 * GET /v1/admin/invariants/{service}/debts: what a service knows of each delivered order of a corner
 * store. `fiado verify` reads it where the digests differ.
 * @param debtsOf takes SQL of a corner store and of a moment; returns SQL of the store's debts as rows `debt`:
 *   the unpaid ones and all that are due since the moment, or all debts if the moment is null
 */
export function debtsEndpoint(
  service: Service,
  debtsOf: (cornerStoreId: string, since: string) => string,
): Endpoint<{ db: Database }> {
  const name = capitalized(service);
  return listEndpoint({
    id: `list${name}Debts`,
    as: `invariants.list${name}Debts`,
    tag: 'Ops: operation',
    route: `GET /v1/admin/invariants/${service}/debts`,
    scope: 'viewer',
    summary: `List the debts of a corner store in ${service}`,
    description: 'Ordered by the id of the order; amounts in integer cents.',
    query: DebtsQuery,
    page: 'DebtPage',
    items: {
      debts: t.field(debt, 'What it owes to all wholesalers; null while it is not known'),
    },
    input: ({ query: { cornerStoreId, cursor, limit, since } }) => ({
      cornerStoreId,
      cursor,
      limit,
      since: momentOf(since),
    }),
    find: async ({ db }: { db: Database }, { cornerStoreId, cursor, limit, since }) => {
      const found = await db.transaction(async (tx) => {
        await allowLongStatements(tx);
        return query<Debt>(
          tx,
          `SELECT ${DEBT_COLUMNS} FROM ${debtsOf('$1::uuid', '$2::timestamptz')}
            WHERE $3::uuid IS NULL OR transaction_id > $3 ORDER BY transaction_id LIMIT $4`,
          [cornerStoreId, since, cursor, limit + 1],
        );
      });
      return pageOf(found, limit, ({ transactionId }) => transactionId);
    },
    present: (one) => ({ ...one, dueAt: one.dueAt.toISOString() }),
  });
}

/** @throws ValidationError for a text that is no date */
function momentOf(since: string | undefined): Date | undefined {
  return readDate('since', since, 'UTC');
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
