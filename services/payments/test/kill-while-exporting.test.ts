import { createHash } from 'node:crypto';
import type { Caller } from '@fiado/contracts/caller';
import { exportRounds } from '@fiado/chassis/exports/make-exports';
import { asOwner } from '@fiado/chassis/testing/as-owner';
import { ops } from '@fiado/chassis/testing/callers';
import { endProcess } from '@fiado/chassis/testing/end-process';
import { tokenHeader } from '@fiado/chassis/testing/call';
import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startProcess } from './support/kill-payments';
import { startPayments } from './support/service';

const ANONYMOUS: Caller = { kind: 'anonymous', id: 'anonymous', name: 'anonymous', scopes: [] };
const NOW = new Date('2027-11-02T12:00:00Z');
/** Two parts and a bit of a third. */
const ENTRIES = 45_000;

/** A debt with many entries, of which a hundred have the same time. */
const FILL = `
  SET search_path = payments;
  INSERT INTO credit_balances (user_id, corner_store_id, numero_referencia)
  VALUES ('11111111-1111-4111-8111-111111111111', gen_random_uuid(), 'x');
  INSERT INTO receivables (id, transaction_id, wholesaler_id, corner_store_id, user_id, external_id,
                           id_factura, principal_cents, interest_cents, iva_cents, due_at, version)
  SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), corner_store_id, user_id, 'x', 'x',
         100, 0, 0, now(), ${ENTRIES} FROM credit_balances;
  INSERT INTO receivable_entries (receivable_id, version, cause, principal_cents, interest_cents,
                                  iva_cents, created_at)
  SELECT id, n, 'opened', n, 0, 0, '2026-11-02T12:00:00Z'::timestamptz + n / 100 * interval '1 minute'
    FROM receivables, generate_series(1, ${ENTRIES}) n;`;

/** A part is stored once nobody holds the lock of its number. */
const WAIT_FOR_LOCKS = `
  CREATE FUNCTION payments.wait_for_lock() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN PERFORM pg_advisory_xact_lock(NEW.number); RETURN NEW; END';
  CREATE TRIGGER wait_for_lock BEFORE INSERT ON payments.export_parts
    FOR EACH ROW EXECUTE FUNCTION payments.wait_for_lock()`;
const WAITING = `
  SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
   WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`;

// Beside its clock the service of the tests makes no exports: the processes do.
const payments = forAllTests(() => startPayments({ clock: { now: () => NOW } }));
beforeAll(() =>
  asOwner(payments.ownerUrl, async (owner) => {
    await owner.query(FILL);
    await owner.query(WAIT_FOR_LOCKS);
  }),
);

/** Kills a process while it stores the part of that number, and ends its lease as the time would. */
async function killAtPart(number: number): Promise<void> {
  await asOwner(payments.ownerUrl, async (owner) => {
    await owner.query('SELECT pg_advisory_lock($1)', [number]);
    const child = startProcess(payments, NOW);
    try {
      await until('it stores the part', async () => (await payments.rows(WAITING)).length > 0);
    } finally {
      await endProcess(child);
    }
  });
  const ended = await payments.rows(
    `UPDATE exports SET leased_until = now() - interval '1 second'
      WHERE status = 'running' RETURNING id`,
  );
  expect(ended).toHaveLength(1);
  expect(await payments.rows('SELECT FROM export_parts')).toHaveLength(number);
}

it('an export whose processes are killed is whole after two kills: each row once, in order', async () => {
  const body = { from: '2026-11-01', to: '2027-11-01', format: 'jsonl' };
  const path = '/v1/admin/exports/ledger-entries';
  const started = await payments.call(ops(), 'POST', path, { body });
  expect(started.status).toBe(202);
  await killAtPart(1);
  await killAtPart(2);
  const round = exportRounds(payments.context);
  while (await round(new AbortController().signal));

  const own = `${path}/${started.body.exportId}`;
  const { status, rows, sha256 } = (await payments.call(ops(), 'GET', own)).body;
  const link = (await payments.call(ops(), 'POST', `${own}/link`)).body.url as string;
  const file = await fetch(`${payments.url}${new URL(link).pathname}`, {
    headers: await tokenHeader('payments', ANONYMOUS),
  });
  const bytes = Buffer.from(await file.arrayBuffer());
  const entries = bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { entry: number }).entry);

  expect([status, rows, sha256]).toEqual([
    'ready',
    ENTRIES,
    createHash('sha256').update(bytes).digest('hex'),
  ]);
  expect(entries).toEqual(Array.from({ length: ENTRIES }, (_, n) => n + 1));
});
