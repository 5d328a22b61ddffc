import {
  CornerStoreSumsQuery,
  cornerStoreSumsPage,
  DebtsQuery,
  InvariantsQuery,
  type Debt,
  type SumsPage,
} from '@fiado/contracts/invariants';
import { pageOf } from '@fiado/contracts/page';
import * as t from '../openapi/json-schema';
import { readDate } from '@fiado/contracts/request-dates';
import { SERVICES, type Service } from '@fiado/contracts/process-names';
import type { Database, Db } from '../db/database';
import { checkNextRange, type Scan } from './scans';
import { allowLongStatements } from '../db/query';
import { endpoint, type Endpoint } from '../http/endpoint';

const invariantReport = t.object('InvariantReport', {
  service: t.oneOf(SERVICES),
  checks: t.listOf(
    t.object('InvariantCheck', { name: t.text, holds: t.flag, violations: t.listOf(t.freeForm) }),
  ),
  rows: t.count,
  done: t.decimal,
  next: t.nullable(t.text),
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
    tag: 'Ops: operation',
    route: `GET /v1/admin/invariants/${service}`,
    scope: 'viewer',
    summary: `Check the invariants of ${service}`,
    description: 'One range of rows; `next` is where the next one begins.',
    query: InvariantsQuery,
    answer: invariantReport,
    example: {
      service,
      checks: [{ name: 'every user has one corner store', holds: true, violations: [] }],
      rows: 412,
      done: 1,
      next: null,
    },
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
  [Name in keyof Omit<Sums, 'cornerStoreId'>]: {
    schema: t.Schema<Sums[Name]>;
    example: Sums[Name];
  };
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
  fields: SumsFields<Sums>,
  find: (db: Db, page: SumsPage, context: Context) => Promise<Sums[]>,
): Endpoint<Context> {
  const name = capitalized(service);
  const named = Object.entries<SumsFields<Sums>[keyof SumsFields<Sums>]>(fields);
  const sums = t.object(`${name}Sums`, {
    cornerStoreId: t.uuid,
    ...Object.fromEntries(named.map(([field, { schema }]) => [field, schema])),
  }) as t.Schema<object>;
  const example = {
    cornerStoreId: '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33',
    ...Object.fromEntries(named.map(([field, one]) => [field, one.example])),
  };
  return endpoint({
    id: `list${name}Sums`,
    tag: 'Ops: operation',
    route: `GET /v1/admin/invariants/${service}/corner-stores`,
    scope: 'viewer',
    summary: `List the sums of each corner store in ${service}`,
    description: 'Ordered by id; amounts in integer cents.',
    query: CornerStoreSumsQuery,
    answer: t.page(`${name}SumsPage`, { cornerStores: t.listOf(sums) }),
    example: { cornerStores: [example], nextCursor: null },
    input: ({ query: { cursor, limit, since } }) => ({ cursor, limit, since: momentOf(since) }),
    handle: async (context: Context, { cursor, limit, since }) => {
      const found = await context.db.transaction(async (tx) => {
        await allowLongStatements(tx);
        return find(tx, { cursor, since, limit: limit + 1 }, context);
      });
      return cornerStoreSumsPage(found, limit);
    },
    present: (page) => page,
  });
}

const debt = t.object('Debt', {
  transactionId: t.uuid,
  wholesalerId: t.uuid,
  userId: t.uuid,
  externalId: t.nullable(t.text),
  principalCents: t.cents,
  interestCents: t.cents,
  ivaCents: t.cents,
  dueAt: t.timestamp,
  paid: t.flag,
  inDefault: t.flag,
  owedPrincipalCents: t.cents,
  creditedCents: t.cents,
  settledNotes: t.count,
  version: t.count,
});

/**
 * GET /v1/admin/invariants/{service}/debts: what a service knows of each delivered order of a corner
 * store, which `fiado verify` reads where the digests differ.
 * @param find debts in the order of the orders' ids
 */
export function debtsEndpoint(
  service: Service,
  find: (db: Db, cornerStoreId: string, page: SumsPage) => Promise<Debt[]>,
): Endpoint<{ db: Database }> {
  const name = capitalized(service);
  return endpoint({
    id: `list${name}Debts`,
    tag: 'Ops: operation',
    route: `GET /v1/admin/invariants/${service}/debts`,
    scope: 'viewer',
    summary: `List the debts of a corner store in ${service}`,
    description: 'Ordered by the id of the order; amounts in integer cents.',
    query: DebtsQuery,
    answer: t.page('DebtPage', { debts: t.listOf(debt) }),
    example: {
      debts: [
        {
          transactionId: '0198d2c0-5a0f-7a71-9f0a-3d4f6f7a1c11',
          wholesalerId: '0198d2c0-1111-7a71-9f0a-3d4f6f7a1c11',
          userId: '0198d2c0-2222-7a71-9f0a-3d4f6f7a1c11',
          externalId: 'tienda-001',
          principalCents: 50_000,
          interestCents: 2_500,
          ivaCents: 400,
          dueAt: '2026-12-07T05:59:59.999Z',
          paid: false,
          inDefault: false,
          owedPrincipalCents: 50_000,
          creditedCents: 0,
          settledNotes: 0,
          version: 1,
        },
      ],
      nextCursor: null,
    },
    input: ({ query: { cornerStoreId, cursor, limit, since } }) => ({
      cornerStoreId,
      cursor,
      limit,
      since: momentOf(since),
    }),
    handle: async ({ db }: { db: Database }, { cornerStoreId, cursor, limit, since }) => {
      const found = await db.transaction(async (tx) => {
        await allowLongStatements(tx);
        return find(tx, cornerStoreId, { cursor, since, limit: limit + 1 });
      });
      return pageOf(found, limit, ({ transactionId }) => transactionId);
    },
    present: ({ page, nextCursor }) => ({
      debts: page.map((one) => ({ ...one, dueAt: one.dueAt.toISOString() })),
      nextCursor,
    }),
  });
}

/** @throws ValidationError for a text that is no date */
function momentOf(since: string | undefined): Date | undefined {
  return readDate('since', since, 'UTC');
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
