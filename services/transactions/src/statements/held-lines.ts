import { type AskedPage, pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { type Page, PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import {
  exampleLine,
  lineFields,
  presentLine,
  selectLines,
  type StatementLine,
  WholesalerLinesQuery,
} from './statement-lines';
import { IS_DISPUTED, IS_HELD } from './settlement-line.entity';

interface HeldLine extends StatementLine {
  /** Null for a line without an order. */
  isDisputed: boolean | null;
}

const heldLineAnswer = t.object('HeldLine', {
  ...lineFields,
  payableFrom: t.timeOrNull(
    'Time from which it is payable: the first statement that ends later has it. Null while its order is disputed',
    '2026-11-24T17:00:00.000Z',
  ),
  heldBecause: t.field(
    t.oneOf(['unproven', 'disputed']),
    '`disputed`: the corner store says that the order is not its own, and the lender has not decided. `unproven`: the ' +
      'delivery, or that of the order it corrects, was reported without a right delivery word',
  ),
});

const HELD = {
  summary: 'List the lines that are held',
  description:
    'Lines that no statement has and that one which closed now would leave out, oldest first. A line is free when its time ' +
    'has come, or at once when the corner store has paid the order in full; one of a disputed order when the dispute is decided.',
  page: 'HeldLinePage',
  items: { lines: t.field(heldLineAnswer, 'Lines, oldest first') },
  example: exampleLine,
  find: findHeldLines,
  present: (line: HeldLine): t.AnswerOf<typeof heldLineAnswer> => ({
    ...presentLine(line),
    payableFrom: line.isDisputed ? null : (line.payableFrom ?? line.recordedAt).toISOString(),
    heldBecause: line.isDisputed ? 'disputed' : 'unproven',
  }),
} as const;

export const listHeldLinesEndpoint = listEndpoint({
  ...HELD,
  id: 'listHeldLines',
  as: 'statements.listHeldLines',
  tag: 'Statements',
  route: 'GET /v1/statements/draft/held-lines',
  scope: 'statements:read',
  names: {},
  query: PageQuery,
  input: ({ query: { ...asked }, caller }) => ({ ...asked, wholesalerId: caller.id }),
});

export const listOpsHeldLinesEndpoint = listEndpoint({
  ...HELD,
  id: 'listOpsHeldLines',
  as: 'statements.listHeldLines',
  columns: [
    'lineId',
    'kind',
    'wholesalerTransactionId',
    'occurredAt',
    'netAmount',
    'heldBecause',
    'payableFrom',
  ],
  tag: 'Ops: statements',
  route: 'GET /v1/admin/statements/draft/held-lines',
  scope: 'viewer',
  summary: 'List the lines of a wholesaler that are held',
  query: WholesalerLinesQuery,
  input: ({ query: { ...asked } }) => asked,
});

function findHeldLines(
  { db }: Context,
  { wholesalerId, ...asked }: AskedPage & { wholesalerId: string },
): Promise<Page<HeldLine>> {
  return pageOfRows<HeldLine>(db, asked, {
    select: selectLines(`, ${IS_DISPUTED} AS "isDisputed"`),
    from: 'settlement_lines l',
    of: { wholesaler_id: wholesalerId },
    // The first follows from the second for the planner only where it stands.
    where: { 'l.statement_id IS NULL': true, [IS_HELD]: true },
    oldestFirst: true,
  });
}
