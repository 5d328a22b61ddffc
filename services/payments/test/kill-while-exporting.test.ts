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
/** Some 4 parts. */
const ENTRIES = 80_000;

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

// Beside its clock the service of the tests makes no exports: the processes do.
const payments = forAllTests(() => startPayments({ clock: { now: () => NOW } }));
beforeAll(() => asOwner(payments.ownerUrl, (owner) => owner.query(FILL)));

/** Kills a process once so many parts are stored, and ends its lease as the time would. */
async function killAfter(parts: number): Promise<void> {
  const child = startProcess(payments, NOW);
  try {
    await until('the parts are stored', async () => {
      return (await payments.rows('SELECT FROM export_parts')).length >= parts;
    });
  } finally {
    await endProcess(child);
  }
  const ended = await payments.rows(
    `UPDATE exports SET leased_until = now() - interval '1 second'
      WHERE status = 'running' RETURNING id`,
  );
  expect(ended).toHaveLength(1);
}

it('an export whose processes are killed is whole after two kills: each row once, in order', async () => {
  const body = { from: '2026-11-01', to: '2027-11-01', format: 'jsonl' };
  const path = '/v1/admin/exports/ledger-entries';
  const started = await payments.call(ops(), 'POST', path, { body });
  expect(started.status).toBe(202);
  await killAfter(1);
  await killAfter(2);
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
