import { IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import type { Db, Transaction } from '@fiado/chassis/db/database';
import { allowLongStatements, query, queryOne, timeOf } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { guardRow, type Loop, loopOf } from '@fiado/chassis/loop';
import * as t from '@fiado/chassis/openapi/json-schema';
import { appendToOutbox, audit, outboxRows } from '@fiado/chassis/outbox/append';
import { About } from '@fiado/contracts/about';
import { IsDateText } from '@fiado/contracts/decorators';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { creditNotesSettled, MAX_SETTLED_NOTES } from '@fiado/contracts/jobs/debts';
import { newId } from '@fiado/contracts/new-id';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { lastClosing, type LineSums, totalsOf } from './settlement.rules';
import {
  exampleStatement,
  opsStatementAnswer,
  presentOpsStatement,
  SELECT_STATEMENT,
  type Statement,
} from './statement';
import { SettlementHeadRow } from './settlement-head.entity';
import { IS_DISPUTED, type SettlementLineRow } from './settlement-line.entity';

class CloseStatementsBody {
  /** Without it: all wholesalers. */
  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  @About('Day or moment before which lines are closed', '2026-11-23')
  @IsDateText()
  until: string;
}

export const closeStatementsEndpoint = endpoint({
  id: 'closeStatements',
  as: 'statements.close',
  tag: 'Ops: statements',
  route: 'POST /v1/admin/statements/close',
  scope: 'operator',
  summary: 'Close statements now',
  description:
    'Closes the lines that were recorded before `until` into a statement for each wholesaler, also with ' +
    '`settlementEvery: on-demand`. Lines that are held (`listOpsHeldLines`) stay in the draft. A wholesaler ' +
    'without lines gets none. What is closed until then already is answered as it is, so a repetition is harmless. A call closes 200 wholesalers at most, the longest unclosed first; ' +
    '`remaining` is how many are left: repeat the call with the same `until`.',
  body: CloseStatementsBody,
  bodyExample: { wholesalerId: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d', until: '2026-11-23' },
  errors: ['WHOLESALER_NOT_FOUND'],
  answer: t.object('ClosedStatements', {
    statements: t.list(opsStatementAnswer, 'Statements whose period has the moment before `until`'),
    remaining: t.field(t.count, 'Wholesalers that are not closed until then', 0),
  }),
  example: { statements: [exampleStatement] },
  input: ({ body, caller }, { config }: Context) => ({
    by: caller,
    wholesalerId: body.wholesalerId,
    until: readDate('until', body.until, config.TIME_ZONE),
  }),
  handle: async (context: Context, { by, wholesalerId, until }) => {
    const now = await timeOf(context.db);
    if (until > now) throw new ValidationError(['until must not be in the future']);
    const wholesalers = await query<{ wholesalerId: string; isDue: boolean }>(
      context.db,
      `SELECT w.wholesaler_id, coalesce(h.closed_until, s.at) < $2 AS "isDue"
         FROM wholesalers w CROSS JOIN settlement_start s
         LEFT JOIN settlement_heads h USING (wholesaler_id)
        WHERE $1::uuid IS NULL OR w.wholesaler_id = $1
        -- The longest unclosed first, so that repeated calls reach all wholesalers even if each has a new moment.
        ORDER BY coalesce(h.closed_until, s.at), w.wholesaler_id`,
      [wholesalerId, until],
    );
    if (wholesalerId !== undefined && wholesalers.length === 0) {
      throw new AppError('WHOLESALER_NOT_FOUND');
    }
    const details = { wholesalerId, until: until.toISOString() };
    await context.db.transaction((tx) => audit(tx, by, { action: 'statements.closed', details }));
    const due = wholesalers.filter(({ isDue }) => isDue);
    for (const one of due.slice(0, MAX_CLOSED_AT_ONCE)) {
      await closeStatement(context, one.wholesalerId, until);
    }
    const ids = wholesalers.map((one) => one.wholesalerId);
    const statements = await findClosed(context.db, ids, until);
    return { statements, remaining: Math.max(0, due.length - MAX_CLOSED_AT_ONCE) };
  },
  present: ({ statements, remaining }) => ({
    statements: statements.map(presentOpsStatement),
    remaining,
  }),
});

/**
 * Most wholesalers whose statements one call closes. It must end before the gateway's deadline of a minute; most
 * wholesalers take some hundredths of a second, the largest four seconds.
 */
const MAX_CLOSED_AT_ONCE = 200;

const CLOSING_LOOP = 'close statements';

/** How soon after midnight statements close. */
const CLOSE_EVERY_MS = 30_000;

export function closingLoop(context: Context): Loop {
  return loopOf(context, {
    name: CLOSING_LOOP,
    everyMs: CLOSE_EVERY_MS,
    round: closeDueStatements,
  });
}

/** SQL of the wholesalers whose day ($1) or week ($2) has ended and is not closed; some thousands at most. */
const DUE_WHOLESALERS = `
  FROM wholesalers w CROSS JOIN settlement_start s
  LEFT JOIN settlement_heads h USING (wholesaler_id)
 WHERE coalesce(h.closed_until, s.at) < CASE w.settlement_every
   WHEN 'daily' THEN $1::timestamptz WHEN 'weekly' THEN $2::timestamptz END`;

/**
 * Closes the statements of the wholesalers whose day or week ended, by the database's clock. A missed
 * iteration does no harm: the next one closes the same period.
 */
export async function closeDueStatements(context: Context): Promise<void> {
  const { db, log, config } = context;
  const now = await timeOf(db);
  const daily = lastClosing(now, config.TIME_ZONE, 'daily');
  const weekly = lastClosing(now, config.TIME_ZONE, 'weekly');
  const due = await query<{ wholesalerId: string; isDaily: boolean }>(
    db,
    `SELECT w.wholesaler_id, w.settlement_every = 'daily' AS "isDaily"
     ${DUE_WHOLESALERS} ORDER BY w.wholesaler_id`,
    [daily, weekly],
  );
  for (const { wholesalerId, isDaily } of due) {
    await guardRow(CLOSING_LOOP, { log, wholesalerId }, () =>
      closeStatement(context, wholesalerId, isDaily ? daily : weekly),
    );
  }
}

/**
 * How long after midnight a wholesaler may wait for its statement, in minutes: all are closed one after
 * another, and the largest takes some seconds.
 */
const BEHIND_AFTER_MINUTES = 10;

/** Counts the wholesalers whose day or week ended more than BEHIND_AFTER_MINUTES ago and is not closed. */
export async function countBehind({
  db,
  config: { TIME_ZONE },
}: Pick<Context, 'db' | 'config'>): Promise<number> {
  const { then } = await queryOne<{ then: Date }>(
    db,
    'SELECT now() - make_interval(mins => $1) AS "then"',
    [BEHIND_AFTER_MINUTES],
  );
  const { count } = await queryOne<{ count: number }>(
    db,
    `SELECT count(*)::int ${DUE_WHOLESALERS}`,
    [lastClosing(then, TIME_ZONE, 'daily'), lastClosing(then, TIME_ZONE, 'weekly')],
  );
  return count;
}

/**
 * Closes a wholesaler's lines that were recorded and payable before `until` into its next statement, in one
 * database transaction under the lock of its head. The lines of a disputed order wait. A line that commits later joins the next
 * statement. Without lines only the head moves.
 * @returns the statement of the period that ends then or later, if there is one
 */
export async function closeStatement(
  context: Context,
  wholesalerId: string,
  until: Date,
): Promise<Statement | undefined> {
  const { db, config } = context;
  const [statement] = await db.transaction(async (tx) => {
    const head = await lockHead(tx, wholesalerId);
    if (until <= head.closedUntil) return findClosed(tx, [wholesalerId], until);
    // Hundreds of thousands of lines take some seconds.
    await allowLongStatements(tx);
    const { lines, ...sums } = await assignLines(tx, wholesalerId, head.nextId, until);
    if (lines === 0) {
      await tx.manager.update(SettlementHeadRow, wholesalerId, { closedUntil: until });
      return [];
    }
    const terms = { commissionIva: config.COMMISSION_IVA, ivaRate: config.IVA_RATE };
    const totals = totalsOf(sums, head.carriedCents, terms);
    const number = head.lastNumber + 1;
    await query(
      tx,
      `INSERT INTO statements
         (id, wholesaler_id, number, period_from, period_to, status, lines, gross_cents,
          commission_cents, commission_iva, iva_rate, commission_iva_cents, opening_cents,
          net_cents, due_cents, sha256)
       VALUES ($1, $2, $3,
         coalesce((SELECT period_to FROM statements WHERE wholesaler_id = $2 AND number = $3 - 1),
                  (SELECT at FROM settlement_start)),
         $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
      [
        head.nextId,
        wholesalerId,
        number,
        until,
        totals.dueCents === 0 ? 'paid' : 'closed',
        lines,
        totals.grossCents,
        totals.commissionCents,
        terms.commissionIva,
        terms.ivaRate,
        totals.commissionIvaCents,
        totals.openingCents,
        totals.netCents,
        totals.dueCents,
        sums.sha256,
      ],
    );
    const carriedCents = Math.min(totals.netCents, 0);
    await tx.manager.update(SettlementHeadRow, wholesalerId, {
      lastNumber: number,
      closedUntil: until,
      carriedCents,
    });
    if (carriedCents === 0) await publishSettledNotes(tx, wholesalerId, number);
    return findClosed(tx, [wholesalerId], until);
  });
  context.relay.wake();
  return statement;
}

/**
 * Sends payments the ids of the credit notes that are settled: those of this statement, and those of the statements
 * below zero before it, whose sum this statement carries.
 */
async function publishSettledNotes(
  tx: Transaction,
  wholesalerId: string,
  number: number,
): Promise<void> {
  const notes = await query<{ id: SettlementLineRow['sourceId']; now: Date }>(
    tx,
    `SELECT line.source_id AS id, now() FROM statements s
       JOIN settlement_lines line ON line.statement_id = s.id AND line.kind = 'credit-note'
      WHERE s.wholesaler_id = $1 AND s.number <= $2
        AND s.number > coalesce((SELECT max(number) FROM statements
              WHERE wholesaler_id = $1 AND number < $2 AND net_cents >= 0), 0)`,
    [wholesalerId, number],
  );
  for (let from = 0; from < notes.length; from += MAX_SETTLED_NOTES) {
    const batch = notes.slice(from, from + MAX_SETTLED_NOTES);
    const settledAt = batch[0]?.now.toISOString() ?? '';
    const data = { creditNoteIds: batch.map(({ id }) => id), settledAt };
    // Its aggregate is not versioned: a note is settled once.
    await appendToOutbox(tx, outboxRows(creditNotesSettled, { id: newId(), version: 1 }, data));
  }
}

/** Locks a wholesaler's head, which the first closing or dispute makes. No statement closes meanwhile. */
export async function lockHead(
  tx: Transaction,
  wholesalerId: string,
): Promise<SettlementHeadRow & { nextId: string }> {
  await query(
    tx,
    `INSERT INTO settlement_heads (wholesaler_id, last_number, closed_until, carried_cents)
     SELECT $1, 0, at, 0 FROM settlement_start ON CONFLICT DO NOTHING`,
    [wholesalerId],
  );
  return queryOne(
    tx,
    `SELECT *, uuidv7() AS "nextId"
       FROM settlement_heads WHERE wholesaler_id = $1 FOR UPDATE`,
    [wholesalerId],
  );
}

/** The statements whose period contains the moment before `until`. */
function findClosed(db: Db, wholesalerIds: string[], until: Date): Promise<Statement[]> {
  return query<Statement>(
    db,
    `${SELECT_STATEMENT}
      WHERE s.wholesaler_id = ANY ($1) AND s.period_to >= $2 AND s.period_from < $2
      ORDER BY s.wholesaler_id`,
    [wholesalerIds, until],
  );
}

/**
 * SQL of the hash of lines: a text of each, in the order of their ids. Ids, kinds, cents and times
 * only, so that an erasure changes no hash.
 */
export const HASH_OF_LINES = `sha256(coalesce(string_agg(convert_to(concat_ws(',', id, kind,
  coalesce(transaction_id::text, ''), gross_cents, commission_cents,
  to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || E'\\n', 'UTF8'), ''::bytea
  ORDER BY id), ''::bytea))`;

function assignLines(
  tx: Transaction,
  wholesalerId: string,
  statementId: string,
  until: Date,
): Promise<LineSums & { lines: number; sha256: Buffer }> {
  return queryOne(
    tx,
    `WITH closed AS (
       UPDATE settlement_lines SET statement_id = $2
        WHERE wholesaler_id = $1 AND statement_id IS NULL AND recorded_at < $3
          AND (payable_from IS NULL OR payable_from < $3)
          AND (${IS_DISPUTED}) IS NOT TRUE
       RETURNING id, kind, transaction_id, gross_cents, commission_cents, recorded_at)
     SELECT count(*)::int AS lines, coalesce(sum(gross_cents), 0)::bigint AS gross_cents,
            coalesce(sum(commission_cents), 0)::bigint AS commission_cents,
            ${HASH_OF_LINES} AS sha256
       FROM closed`,
    [wholesalerId, statementId, until],
  );
}
