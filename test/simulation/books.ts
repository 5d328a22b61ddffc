import { query } from '@fiado/chassis/db/query';
import { ops } from '@fiado/chassis/testing/callers';
import { findAgeing } from '../../services/payments/src/ops/figures';
import { type BookDay, readBooks } from '../../services/payments/src/portfolio/books.sql';
import { fillPortfolio } from '../../services/payments/src/portfolio/fill-portfolio';
import { writeOffReceivable } from '../../services/payments/src/portfolio/write-off-receivable';
import { same } from './compare';
import { type History, passTime } from './history';
import { DAY_MS, HOUR_MS, INSTALLATION_ZONE } from './model/model';
import type { System } from './system/system';

/** What payments does while time passes: it fills the portfolio. A debt that is overdue is written off. */
export async function keepBooks({ payments, now }: System): Promise<void> {
  const [overdue] = await query<{ id: string }>(
    payments.db,
    `SELECT id FROM receivables WHERE paid_at IS NULL AND due_at < $1
        AND NOT EXISTS (SELECT FROM write_offs WHERE receivable_id = id)
      ORDER BY due_at DESC, id LIMIT 1`,
    [new Date(now)],
  );
  if (overdue !== undefined) {
    await writeOffReceivable(payments, { receivableId: overdue.id, reason: 'cerró', by: ops() });
  }
  while (await fillPortfolio(payments));
}

/**
 * Compares what is kept by what changed with what all debts make: what is overdue, before and after a day is
 * filled, each day of the portfolio and its cohorts.
 */
export async function compareBooks(history: History): Promise<void> {
  await compareAgeing(history);
  // The day of the last step is over, and is filled.
  await passTime(history, DAY_MS + HOUR_MS);
  await keepBooks(history.system);
  await compareAgeing(history);
  await compareDays(history.system);
}

async function compareAgeing({ system: { payments, now } }: History): Promise<void> {
  const all = await query<object>(
    payments.db,
    `SELECT CASE WHEN late <= interval '0' THEN '0' WHEN late <= interval '7 days' THEN '1-7'
                 WHEN late <= interval '30 days' THEN '8-30' WHEN late <= interval '60 days' THEN '31-60'
                 ELSE '61+' END AS bucket,
            count(*)::int AS receivables,
            sum(principal_cents + interest_cents + iva_cents - paid_principal_cents - paid_interest_cents
                - paid_iva_cents - credited_principal_cents - credited_interest_cents
                - credited_iva_cents)::bigint AS "amountCents"
       FROM (SELECT *, $1::timestamptz - due_at AS late FROM receivables WHERE paid_at IS NULL) owed
      GROUP BY 1 ORDER BY 1`,
    [new Date(now)],
  );
  const kept = await findAgeing(payments.db, new Date(now));
  same(
    'what is overdue',
    kept.toSorted((a, b) => (a.bucket < b.bucket ? -1 : 1)),
    all,
  );
}

async function compareDays({ payments: { db } }: System): Promise<void> {
  const days = await query<BookDay>(
    db,
    'SELECT day::text, starts_at, ends_at FROM portfolio_calendar ORDER BY day',
  );
  const [first] = days;
  if (first === undefined) return;
  const cohorts = new Map<string, number[]>();
  for (const day of days) {
    const all = await readBooks(db, day, { timeZone: INSTALLATION_ZONE, first: first.startsAt });
    const [stored] = await query<{ days: object[]; flows: object[] }>(db, STORED, [day.day]);
    same(`the portfolio of ${day.day}`, stored, { days: all.days, flows: all.flows });
    for (const { week, wholesaler_id, age, ...cents } of all.cohorts as CohortRow[]) {
      const key = `${week} ${wholesaler_id} ${age}`;
      const before = cohorts.get(key) ?? [0, 0, 0];
      const added = [cents.principal_cents, cents.reached_cents, cents.unpaid_cents];
      cohorts.set(
        key,
        before.map((amount, at) => amount + (added[at] ?? 0)),
      );
    }
  }
  const kept = await query<{ key: string; cents: number[] }>(
    db,
    `SELECT concat_ws(' ', week, wholesaler_id, age) AS key,
            jsonb_build_array(principal_cents, reached_cents, unpaid_cents) AS cents
       FROM portfolio_cohorts`,
  );
  const lines = (rows: Array<[string, number[]]>) => rows.map(String).toSorted();
  same('cohorts', lines(kept.map(({ key, cents }) => [key, cents])), lines([...cohorts]));
}

interface CohortRow {
  week: string;
  wholesaler_id: string;
  age: number;
  principal_cents: number;
  reached_cents: number;
  unpaid_cents: number;
}

/** The rows of a day as readBooks returns them. */
const STORED = `
  SELECT (SELECT coalesce(jsonb_agg(to_jsonb(d) - 'day' ORDER BY wholesaler_id, bucket), '[]')
            FROM portfolio_days d WHERE day = $1) AS days,
         (SELECT coalesce(jsonb_agg(to_jsonb(f) - 'day' ORDER BY wholesaler_id), '[]')
            FROM portfolio_flows f WHERE day = $1) AS flows`;
