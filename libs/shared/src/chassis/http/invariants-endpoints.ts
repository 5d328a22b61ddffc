import { CornerStoreSumsQuery, cornerStoreSumsPage } from '../../contracts/invariants';
import * as t from '../../openapi/json-schema';
import { SERVICES, type Service } from '../../contracts/process-names';
import type { Database, Db } from '../db/database';
import { checkInvariants, type Invariant } from '../db/invariants';
import { allowLongStatements } from '../db/query';
import { endpoint, type Endpoint } from './endpoint';

const invariantReport = t.object('InvariantReport', {
  service: t.oneOf(SERVICES),
  checks: t.listOf(
    t.object('InvariantCheck', { name: t.text, holds: t.flag, violations: t.listOf(t.freeForm) }),
  ),
});

/** GET /v1/admin/invariants/{service}: checks a service's invariants, for `fiado verify`. */
export function invariantsEndpoint<Context extends { db: Database }>(
  service: Service,
  invariantsOf: (context: Context) => Invariant[],
): Endpoint<Context> {
  return endpoint({
    id: `check${capitalized(service)}`,
    tag: 'Ops: operation',
    route: `GET /v1/admin/invariants/${service}`,
    scope: 'viewer',
    summary: `Check the invariants of ${service}`,
    answer: invariantReport,
    example: {
      service,
      checks: [{ name: 'every user has one corner store', holds: true, violations: [] }],
    },
    input: () => undefined,
    handle: (context: Context) =>
      // Concurrent changes would break the totals.
      context.db.snapshot(async (tx) => {
        await allowLongStatements(tx);
        return checkInvariants(tx, invariantsOf(context));
      }),
    present: (checks) => ({ service, checks }),
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
export function cornerStoreSumsEndpoint<Sums extends { cornerStoreId: string }>(
  service: Service,
  fields: SumsFields<Sums>,
  find: (db: Db, page: { cursor: string | undefined; limit: number }) => Promise<Sums[]>,
): Endpoint<{ db: Database }> {
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
    input: (request) => request.query,
    handle: async ({ db }: { db: Database }, { cursor, limit }) => {
      const found = await db.transaction(async (tx) => {
        await allowLongStatements(tx);
        return find(tx, { cursor, limit: limit + 1 });
      });
      return cornerStoreSumsPage(found, limit);
    },
    present: (page) => page,
  });
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
