import { randomUUID } from 'node:crypto';
import { asOwner } from '@fiado/chassis/testing/as-owner';
import { forAllTests } from '../../../test/support/for-all-tests';
import { findAgeing } from '../src/ops/figures';
import { fillPortfolio } from '../src/portfolio/fill-portfolio';
import { writeManyDebts } from './support/many-debts';
import { startPayments } from './support/service';

/** One an hour until now; two rounds count them. */
const DEBTS = 10_100;
const ZONE = 'America/Mexico_City';

/** The portfolio has its first day and that of five days ago. Debts in part paid are written off on one of the days since. */
const DAYS_BEFORE = `
  INSERT INTO portfolio_calendar (day, starts_at, ends_at)
  SELECT day, day::timestamp AT TIME ZONE '${ZONE}', (day + 1)::timestamp AT TIME ZONE '${ZONE}'
    FROM (SELECT (now() AT TIME ZONE '${ZONE}')::date AS today) local,
         LATERAL (VALUES (date_trunc('week', today - 500)::date), (today - 5)) AS kept (day);
  INSERT INTO write_offs (receivable_id, principal_cents, interest_cents, iva_cents, receivable_version,
                          reason, requested_by, created_at)
  SELECT id, 50, 0, 0, 2, '', 'test', now() - make_interval(days => 2 + (n % 2)::int)
    FROM (SELECT id, row_number() OVER () AS n FROM receivables
           WHERE paid_principal_cents = 50 AND paid_at IS NULL) partly WHERE n % 3 = 0`;

/** What is kept for a reason: of old debts only what is owed. */
const TOTALS = `
  SELECT t.wholesaler_id, t.week, t.due_on, t.due_at, is_written_off, debts, principal_cents,
         CASE WHEN is_young THEN delivered_cents END AS delivered_cents
    FROM portfolio_totals t CROSS JOIN portfolio_position
   CROSS JOIN LATERAL (SELECT greatest(due_on, week + 6) >= day - 90 AS is_young) age
   WHERE debts <> 0 OR delivered_cents <> 0 AND is_young
   ORDER BY 1, 2, 3, 4, 5`;

const payments = forAllTests(() =>
  startPayments({ config: { TIME_ZONE: ZONE }, clock: { now: () => new Date() } }),
);
beforeAll(async () => {
  const store = { cornerStoreId: randomUUID(), userId: randomUUID() };
  await writeManyDebts(payments, store, DEBTS);
  await asOwnerOf(DAYS_BEFORE);
});

const asOwnerOf = (statement: string): Promise<unknown> =>
  asOwner(
    {
      connectionString: payments.ownerUrl,
      options: '-c search_path=payments -c session_replication_role=replica',
    },
    (owner) => owner.query(statement),
  );

async function ageing(): Promise<string[]> {
  const rows = await findAgeing(payments.context.db, new Date());
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

test('totals that days have moved are those that debts are counted for anew, and both give what is overdue', async () => {
  const ofAllDebts = await ageing();
  expect(ofAllDebts).toHaveLength(5);
  const rounds: boolean[] = [];
  do rounds.push(await fillPortfolio(payments.context));
  while (rounds.at(-1) === true);
  // The first only counted debts, and each other one but the last filled a day: shortly after midnight three.
  expect(rounds.length).toBeGreaterThanOrEqual(5);
  const moved = await payments.rows(TOTALS);
  expect(moved.length).toBeGreaterThan(1_000);
  expect(await ageing()).toEqual(ofAllDebts);

  await asOwnerOf('DELETE FROM portfolio_totals; DELETE FROM portfolio_position');
  while (await fillPortfolio(payments.context));
  expect(await payments.rows(TOTALS)).toEqual(moved);
  expect(await ageing()).toEqual(ofAllDebts);
});
