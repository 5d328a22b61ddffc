import { endpoint } from '@fiado/chassis/http/endpoint';
import { PageQuery } from '@fiado/contracts/page';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import { listCreditEntries } from '../use-cases/list-credit-entries';
import { creditEntryAnswer, exampleCreditEntry, presentCreditEntry } from './credit-entry-answer';

export const listCreditEntriesEndpoint = endpoint({
  id: 'listCreditEntries',
  tag: 'Ops: corner stores',
  route: 'GET /v1/admin/corner-stores/:cornerStoreId/credit-entries',
  scope: 'viewer',
  summary: 'List what changed the used credit of a corner store, newest first',
  description:
    'The amounts of all entries add up to `creditUsed`. A store that has never been sold to on ' +
    'credit may have no line yet; it is not found.',
  query: PageQuery,
  errors: ['CORNER_STORE_NOT_FOUND'],
  answer: t.page('CreditEntryPage', {
    creditLimit: t.pesos,
    creditUsed: t.pesos,
    creditEntries: t.listOf(creditEntryAnswer),
  }),
  example: {
    creditLimit: 5_000,
    creditUsed: 500,
    creditEntries: [exampleCreditEntry],
    nextCursor: null,
  },
  input: ({ id, query: { cursor, limit } }) => ({
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    cursor,
    limit,
  }),
  handle: listCreditEntries,
  present: ({ line, page, nextCursor }) => ({
    creditLimit: amountOf(line.limitCents),
    creditUsed: amountOf(line.usedCents),
    creditEntries: page.map(presentCreditEntry),
    nextCursor,
  }),
});
