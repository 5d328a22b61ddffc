import { randomUUID } from 'node:crypto';
import { service } from '@fiado/chassis/testing/callers';
import { pagesRead } from '@fiado/chassis/testing/pages-read';
import type { TimelineEntry } from '@fiado/contracts/timeline';
import { forAllTests } from '../../../test/support/for-all-tests';
import { oweNewestDebts, writeBalanceEntries, writeManyDebts } from './support/many-debts';
import { startPayments } from './support/service';

const DEBTS = 20_000;
/** Of ten entries of each kind, of the debts that are owed, and of those that were when a page ends. */
const FEW_PAGES = 3_000;
/** Ten entries and the way to them in an index. */
const PAGES_OF_A_PART = 50;
const STORE = { cornerStoreId: randomUUID(), userId: randomUUID() };

const payments = forAllTests(startPayments);
beforeAll(async () => {
  await writeManyDebts(payments, STORE, DEBTS);
});

async function timeline(question: object): Promise<TimelineEntry[]> {
  const { status, body } = await payments.call(service('accounts'), 'POST', '/internal/timeline', {
    body: { cornerStoreId: STORE.cornerStoreId, limit: 10, ...question },
  });
  expect(status).toBe(200);
  return body.entries;
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

it.each([
  ['newest', () => ({})],
  ['last of a year ago', () => ({ to: daysAgo(365) })],
])('the %s entries cost the same, however many debts the store has', async (_, question) => {
  const { context, ownerUrl } = payments;
  let entries: TimelineEntry[] = [];
  const pages = await pagesRead({ db: context.db, ownerUrl, schema: 'payments' }, async () => {
    entries = await timeline(question());
  });
  expect(entries).toHaveLength(10);
  expect(pages).toBeLessThan(FEW_PAGES);
});

it.each([
  ['the newest', 5, 0],
  ['those of a year ago', 370, 365],
])('no entry is missing of %s: each is listed once', async (_, first, last) => {
  const [from, to] = [daysAgo(first), daysAgo(last)];
  const expected = await payments.rows<{ type: string; number: number }>(
    `SELECT CASE cause WHEN 'opened' THEN 'debt.opened' WHEN 'payment' THEN 'payment.applied'
                       WHEN 'credit' THEN 'debt.credited' ELSE 'payment.reversed' END AS type,
            count(*)::int AS number
       FROM receivable_entries WHERE created_at >= $1 AND created_at < $2
      GROUP BY 1 ORDER BY 1`,
    [from, to],
  );
  expect(expected).toHaveLength(4);

  const entries: TimelineEntry[] = [];
  for (;;) {
    const end = entries.at(-1);
    const before = end && { beforeMicros: end.atMicros, beforeKey: end.key };
    const page = (await timeline({ to, ...before })).filter(
      ({ atMicros }) => atMicros >= Date.parse(from) * 1_000,
    );
    entries.push(...page);
    if (page.length < 10) break;
  }
  expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
  const listed = expected.map(({ type }) => ({
    type,
    number: entries.filter((entry) => entry.type === type).length,
  }));
  expect(listed).toEqual(expected);
  expect(entries).toHaveLength(expected.reduce((sum, { number }) => sum + number, 0));
});

async function pagesOfNewest(): Promise<number> {
  const { context, ownerUrl } = payments;
  return pagesRead({ db: context.db, ownerUrl, schema: 'payments' }, async () => {
    expect(await timeline({})).toHaveLength(10);
  });
}

it('they cost the same, however often the credit balance changed', async () => {
  const before = await pagesOfNewest();
  await writeBalanceEntries(payments, STORE, DEBTS);
  expect((await pagesOfNewest()) - before).toBeLessThan(PAGES_OF_A_PART);
});

it('debts that are owed and of which nothing was paid cost little', async () => {
  await oweNewestDebts(payments, STORE, DEBTS / 10);
  expect(await pagesOfNewest()).toBeLessThan(FEW_PAGES);
});
