import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { HIT_KINDS, MATCHED_BY, MAX_SEARCH } from '@fiado/contracts/search';
import type { Caller } from '@fiado/contracts/caller';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { search } from '../use-cases/search';
import { READS_PERSONAL_DATA } from './corner-store-details';
import { EXAMPLE_IDS } from './examples';

const MISSING = ['transactions', 'payments', 'notifier'] as const;

/** What is searched for: the body, or the query of the deprecated operation. */
class SearchQuestion {
  @IsNonEmptyText(MAX_SEARCH)
  q: string;
}

/** What both operations share. */
const SEARCH = {
  tag: 'Ops: operation',
  scope: 'viewer',
  answer: t.object('SearchResult', {
    hits: t.listOf(
      t.object('SearchHit', {
        kind: t.oneOf(HIT_KINDS),
        matchedBy: t.oneOf(MATCHED_BY),
        id: t.uuid,
        wholesalerId: t.nullable(t.uuid),
        cornerStoreId: t.nullable(t.uuid),
        label: t.nullable(t.text),
      }),
    ),
    missing: t.listOf(t.oneOf(MISSING)),
  }),
  example: {
    hits: [
      {
        kind: 'corner-store',
        matchedBy: 'externalId',
        id: EXAMPLE_IDS.cornerStoreId,
        wholesalerId: EXAMPLE_IDS.wholesalerId,
        cornerStoreId: EXAMPLE_IDS.cornerStoreId,
        label: 'tienda-001',
      },
    ],
    missing: [],
  },
  handle: (context: Context, input: Parameters<typeof search>[1]) => search(context, input),
  present: ({ hits, missing }: Awaited<ReturnType<typeof search>>) => ({
    hits: hits.map(({ kind, matchedBy, id, wholesalerId, cornerStoreId, label }) => ({
      kind,
      matchedBy,
      id,
      wholesalerId,
      cornerStoreId,
      label,
    })),
    missing,
  }),
} as const;

const DESCRIPTION =
  'Compares whole values: ids, external ids, numbers of orders and payment references, at most 20 ' +
  'hits of each kind. A phone number is only looked up for an operator, and the look-up is ' +
  'audited. A service that does not answer is named in `missing`.';

export const searchByBodyEndpoint = endpoint({
  ...SEARCH,
  id: 'searchByBody',
  route: 'POST /v1/admin/search',
  summary: 'Find what an id, a number or a phone number names',
  description: DESCRIPTION,
  body: SearchQuestion,
  bodyExample: { q: 'tienda-001' },
  input: ({ body: { q }, caller }) => searchOf(q, caller),
});

export const searchEndpoint = endpoint({
  ...SEARCH,
  id: 'search',
  route: 'GET /v1/admin/search',
  deprecated: true,
  summary: 'Find what an id or a number names, by query',
  description: `Use \`searchByBody\`: proxies and browsers keep the addresses of a GET. ${DESCRIPTION}`,
  query: SearchQuestion,
  input: ({ query: { q }, caller }) => searchOf(q, caller),
});

function searchOf(q: string, by: Caller) {
  return { by, text: q.trim(), seesPhones: by.scopes.includes(READS_PERSONAL_DATA) };
}
