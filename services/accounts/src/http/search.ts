import { endpoint } from '@fiado/shared/chassis/http/endpoint';
import { IsNonEmptyText } from '@fiado/shared/contracts/decorators';
import { HIT_KINDS, MATCHED_BY, MAX_SEARCH } from '@fiado/shared/contracts/search';
import * as t from '@fiado/shared/openapi/json-schema';
import type { Context } from '../context';
import { search } from '../use-cases/search';
import { READS_PERSONAL_DATA } from './corner-store-details';
import { EXAMPLE_IDS } from './examples';

const MISSING = ['transactions', 'payments', 'notifier'] as const;

class SearchQuery {
  @IsNonEmptyText(MAX_SEARCH)
  q: string;
}

export const searchEndpoint = endpoint({
  id: 'search',
  tag: 'Ops: operation',
  route: 'GET /v1/admin/search',
  scope: 'viewer',
  summary: 'Find what an id, a number or a phone number names',
  description:
    'Compares whole values: ids, external ids, numbers of orders and payment references, at most 20 ' +
    'hits of each kind. A phone number is only looked up for an operator, and the look-up is ' +
    'audited. A service that does not answer is named in `missing`.',
  query: SearchQuery,
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
  input: ({ query: { q }, caller: by }) => ({
    by,
    text: q.trim(),
    seesPhones: by.scopes.includes(READS_PERSONAL_DATA),
  }),
  handle: (context: Context, input) => search(context, input),
  present: ({ hits, missing }) => ({
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
});
