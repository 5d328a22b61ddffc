import { IsUUID } from '@fiado/contracts/class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { amountOf } from '@fiado/contracts/money';
import { totalsOf, type StatementTotals, type LineSums } from './settlement.rules';
import {
  amountFields,
  exampleKindSums,
  exampleStatement,
  type KindSums,
  kindSumsField,
  LINE_KINDS,
  opsStatementDetails,
  presentAmounts,
  presentKindSums,
  presentOpsStatement,
  presentStatement,
  requireStatement,
  statementAnswer,
  statementFields,
} from './statement';
import { IS_HELD } from './settlement-line.entity';
import type { Db } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';

export const getStatementEndpoint = endpoint({
  id: 'getStatement',
  as: 'statements.get',
  tag: 'Statements',
  route: 'GET /v1/statements/:statementId',
  scope: 'statements:read',
  names: { statementId: 'statement' },
  summary: 'Get a statement',
  errors: ['STATEMENT_NOT_FOUND'],
  answer: statementAnswer,
  example: exampleStatement,
  input: ({ id, caller }) => ({
    statementId: id('statementId', 'STATEMENT_NOT_FOUND'),
    wholesalerId: caller.id,
  }),
  handle: ({ db }: Context, { statementId, wholesalerId }) =>
    requireStatement(db, statementId, wholesalerId),
  present: presentStatement,
});

export const showStatementEndpoint = endpoint({
  id: 'showStatement',
  as: 'statements.show',
  tag: 'Ops: statements',
  route: 'GET /v1/admin/statements/:statementId',
  scope: 'viewer',
  summary: 'Get a statement of any wholesaler',
  errors: ['STATEMENT_NOT_FOUND'],
  answer: opsStatementDetails,
  example: { ...exampleStatement, kinds: exampleKindSums },
  input: ({ id }) => ({ statementId: id('statementId', 'STATEMENT_NOT_FOUND') }),
  handle: async ({ db }: Context, { statementId }) => ({
    statement: await requireStatement(db, statementId, undefined),
    kinds: await sumKinds(db, 'statement_id = $1', statementId),
  }),
  present: ({ statement, kinds }) => ({
    ...presentOpsStatement(statement),
    kinds: presentKindSums(kinds),
  }),
});

/** Sums of lines by kind, in the order of LINE_KINDS. */
async function sumKinds(db: Db, condition: string, id: string): Promise<KindSums[]> {
  const sums = await query<KindSums>(
    db,
    `SELECT kind, count(*)::int AS lines, sum(gross_cents)::bigint AS gross_cents,
            sum(commission_cents)::bigint AS commission_cents
       FROM settlement_lines WHERE ${condition} GROUP BY kind`,
    [id],
  );
  return LINE_KINDS.flatMap((one) => sums.filter(({ kind }) => kind === one));
}

const draftFields = {
  status: t.field(t.constant('draft'), 'Not closed yet'),
  periodFrom: statementFields.periodFrom,
  lines: t.field(t.count, 'Number of its lines so far', 2),
  ...amountFields,
  heldLines: t.field(t.count, 'Number of the lines that are held, which no sum above has', 0),
  heldAmount: t.field(t.pesos, 'Sum of the `netAmount` of the lines that are held', 0),
};

const draftAnswer = t.object('DraftStatement', draftFields);

const exampleDraft: t.ExampleOf<typeof draftAnswer> = {
  periodFrom: '2026-11-23T06:00:00.000Z',
  lines: 1,
  grossAmount: 480.5,
  commission: 9.61,
  commissionIVA: 1.54,
  netAmount: 469.35,
  amountDue: 469.35,
};

const DRAFT_TEXT =
  'The lines that no statement has closed, as if it closed now. A delivery that is not proven is held for as long as ' +
  'the lender agreed; its line joins the first statement that ends after that. The lines of an order that its corner ' +
  'store disputes are held until the lender decides.';

export const getDraftStatementEndpoint = endpoint({
  summary: 'Get what the next statement has so far',
  description: DRAFT_TEXT,
  answer: draftAnswer,
  example: exampleDraft,
  id: 'getDraftStatement',
  as: 'statements.getDraft',
  tag: 'Statements',
  route: 'GET /v1/statements/draft',
  scope: 'statements:read',
  names: {},
  input: ({ caller }) => caller.id,
  handle: draftOf,
  present: presentDraft,
});

class DraftQuery {
  @IsUUID()
  wholesalerId: string;
}

export const showDraftStatementEndpoint = endpoint({
  description: DRAFT_TEXT,
  answer: t.object('OpsDraftStatement', { ...draftFields, kinds: kindSumsField }),
  example: { ...exampleDraft, kinds: exampleKindSums },
  id: 'showDraftStatement',
  as: 'statements.showDraft',
  tag: 'Ops: statements',
  route: 'GET /v1/admin/statements/draft',
  scope: 'viewer',
  summary: 'Get what the next statement of a wholesaler has so far',
  query: DraftQuery,
  input: ({ query: { wholesalerId } }) => wholesalerId,
  handle: async (context: Context, wholesalerId) => ({
    draft: await draftOf(context, wholesalerId),
    kinds: await sumKinds(
      context.db,
      `wholesaler_id = $1 AND statement_id IS NULL AND (${IS_HELD}) IS NOT TRUE`,
      wholesalerId,
    ),
  }),
  present: ({ draft, kinds }) => ({ ...presentDraft(draft), kinds: presentKindSums(kinds) }),
});

interface Draft extends StatementTotals {
  periodFrom: Date;
  lines: number;
  heldLines: number;
  /** Gross less commission, in cents. */
  heldCents: number;
}

async function draftOf({ db, config }: Context, wholesalerId: string): Promise<Draft> {
  const { lines, periodFrom, carriedCents, held, ...sums } = await sumDraft(db, wholesalerId);
  const terms = { commissionIva: config.COMMISSION_IVA, ivaRate: config.IVA_RATE };
  const payable = {
    grossCents: sums.grossCents - held.grossCents,
    commissionCents: sums.commissionCents - held.commissionCents,
  };
  return {
    ...totalsOf(payable, carriedCents, terms),
    lines: lines - held.lines,
    periodFrom,
    heldLines: held.lines,
    heldCents: held.grossCents - held.commissionCents,
  };
}

function presentDraft(draft: Draft): t.AnswerOf<typeof draftAnswer> {
  return {
    status: 'draft',
    periodFrom: draft.periodFrom.toISOString(),
    lines: draft.lines,
    ...presentAmounts(draft),
    heldLines: draft.heldLines,
    heldAmount: amountOf(draft.heldCents),
  };
}

/** The lines of a wholesaler that no statement contains yet, and what is due of its statements. Cents. */
interface DraftSums extends LineSums {
  lines: number;
  periodFrom: Date;
  /** What the next statement opens with: zero or negative. */
  carriedCents: number;
  /** Due of the statements that are not paid. */
  unpaidCents: number;
  /** Of the lines above, those that no statement that closed now would have. */
  held: LineSums & { lines: number };
  /** Of the newest statement; 0 before the first. A draft that loses lines to one has another number. */
  lastNumber: number;
}

/**
 * Reads both sums in one statement: a parallel closing moves lines from one sum to the other.
 * @param recorded which lines count; all of the draft without it
 */
export function sumDraft(
  db: Db,
  wholesalerId: string,
  { since, before }: { since?: Date; before?: Date } = {},
): Promise<DraftSums> {
  return queryOne<DraftSums>(
    db,
    `SELECT count(l.id)::int AS lines, coalesce(sum(l.gross_cents), 0)::bigint AS gross_cents,
            coalesce(sum(l.commission_cents), 0)::bigint AS commission_cents,
            json_build_object(
              'lines', count(*) FILTER (WHERE ${IS_HELD}),
              'grossCents', coalesce(sum(l.gross_cents) FILTER (WHERE ${IS_HELD}), 0),
              'commissionCents', coalesce(sum(l.commission_cents) FILTER (WHERE ${IS_HELD}), 0))
              AS held,
            coalesce((SELECT carried_cents FROM settlement_heads WHERE wholesaler_id = $1), 0)
              AS "carriedCents",
            (SELECT coalesce(sum(due_cents), 0)::bigint FROM statements
              WHERE wholesaler_id = $1 AND status = 'closed') AS "unpaidCents",
            coalesce((SELECT max(number) FROM statements WHERE wholesaler_id = $1), 0)
              AS "lastNumber",
            coalesce((SELECT max(period_to) FROM statements WHERE wholesaler_id = $1),
                     (SELECT at FROM settlement_start)) AS "periodFrom"
       FROM settlement_lines l
      WHERE l.wholesaler_id = $1 AND l.statement_id IS NULL
        AND l.recorded_at >= $2 AND l.recorded_at < $3`,
    [wholesalerId, since ?? '-infinity', before ?? 'infinity'],
  );
}
