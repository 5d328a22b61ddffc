import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICES, type Service } from '@fiado/contracts/process-names';
import type { Client } from 'pg';
import { waitFor } from './support/api';
import { verify } from './support/month';
import { endOpenJobs } from './support/open-jobs';
import {
  buyAndPay,
  createProvider,
  createStoreWithKycLink,
  createWholesaler,
  type Provider,
  type Store,
  type Wholesaler,
} from './support/story';
import { pidOf, startSystem, type System } from './support/system';

type Phase = 'block' | 'suppress';

/** Ends what hangs. A killed service is back, and its jobs recovered, in seconds. */
const DEADLINE_MS = 120_000;
/** Names of the persons, by where accounts is killed; of the first nothing is. */
const PERSONS = ['undisturbed', 'answer', 'report'] as const;
type Name = (typeof PERSONS)[number];
/** Services that are stopped, each for the person of its name. Without accounts nobody is answered at all. */
const STOPPED = ['transactions', 'payments', 'notifier'] as const;

interface Part {
  service: Service;
  rows: { table: string; column: string; rows: number }[];
}

describe('an erasure whose services are killed, or stopped, in the middle of their part', () => {
  let system: System;
  let owner: Client;
  const stores = new Map<string, Store>();
  const openRequests = new Map<string, string>();

  beforeAll(async () => {
    system = await startSystem({ env: { RETENTION_YEARS: '0' } });
    owner = await system.connect();
    const wholesaler = await createWholesaler(system);
    const provider = await createProvider(system);
    for (const name of [...PERSONS, ...STOPPED]) stores.set(name, await seed(wholesaler, provider));
    await endOpenJobs(owner, DEADLINE_MS);
  });
  afterAll(() => system?.dispose());

  it('has one report for each step, with the counts of one that nothing disturbed', async () => {
    await grant('undisturbed');
    await untilDone('block', ['undisturbed']);
    await suppress(['undisturbed']);
    await untilDone('suppress', ['undisturbed']);

    const killed: Name[] = ['answer', 'report'];
    await killEachService('block', () => Promise.all(killed.map(grant)));
    await killEachService('suppress', () => suppress(killed));

    for (const phase of ['block', 'suppress'] as const) {
      const expected = await partsOf('undisturbed', phase);
      expect(expected).toHaveLength(SERVICES.length);
      for (const name of killed) {
        expect([name, phase, await partsOf(name, phase)]).toEqual([name, phase, expected]);
        expect(await auditedOf(name, phase)).toEqual([true]);
      }
    }
    const lines = await readFile(
      join(system.dataDir, 'audit-anchors/erased-persons.jsonl'),
      'utf8',
    );
    for (const name of PERSONS) expect(lines).toContain(storeOf(name).userId);
    expect(await waitFor(() => verify(system).catch(() => undefined))).toEqual({
      ok: true,
      broken: [],
    });
  });

  it.each(STOPPED)('is not done while %s is stopped', async (service) => {
    const outbox = await holdOutbox(service);
    const path = await grant(service);
    const status = async (): Promise<string> =>
      (await system.call(system.opsKey, 'GET', path)).body.status;
    await untilAnswering(service);
    const pid = pidOf(system.supervisorPid, service);
    process.kill(pid, 'SIGSTOP');
    try {
      await outbox.release();
      const others = service === 'notifier' ? 3 : 2;
      await waitFor(async () => (await partsOf(service, 'block')).length === others || undefined);
      expect(await status()).toBe('executing');
      expect((await partsOf(service, 'block')).map((part) => part.service)).not.toContain(service);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await untilDone('block', [service]);
    expect(await status()).toBe('done');
  });

  /**
   * Kills transactions, payments and the notifier in the middle of the database transaction of their part, and
   * accounts while it keeps an answer about the one person, and while it writes the report of the other.
   */
  async function killEachService(phase: Phase, start: () => Promise<unknown>): Promise<void> {
    const transactions = await holdOutbox('transactions');
    const payments = await holdOutbox('payments');
    await start();
    await untilAnswering('transactions');
    await kill('transactions');
    await untilAnswering('payments');
    await kill('payments');

    const notifier = await holdOutbox('notifier');
    const answer = await hold(
      `SELECT FROM accounts.erasures WHERE user_id = '${storeOf('answer').userId}' FOR UPDATE`,
    );
    const report = await hold(
      `SELECT FROM accounts.privacy_requests WHERE user_id = '${storeOf('report').userId}' FOR UPDATE`,
    );
    await Promise.all([transactions.release(), payments.release()]);
    await answer.untilWaitedFor();
    await kill('accounts');
    await answer.release();

    await untilAnswering('notifier');
    // A service that has not answered holds `done` back.
    expect(await doneOf(phase)).toEqual(['undisturbed']);
    await kill('notifier');
    await notifier.release();

    await report.untilWaitedFor();
    await kill('accounts');
    await report.release();
    await untilDone(phase, [...PERSONS]);
  }

  function holdOutbox(service: Service): Promise<Hold> {
    return hold(`LOCK TABLE ${service}.outbox IN EXCLUSIVE MODE`);
  }

  interface Hold {
    /** Waits until a database transaction of a service waits for it. */
    untilWaitedFor(): Promise<void>;
    release(): Promise<void>;
  }

  /** Takes a lock that the part of a service runs into. */
  async function hold(statement: string): Promise<Hold> {
    const client = await system.connect();
    await client.query('BEGIN');
    await client.query(statement);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return {
      untilWaitedFor: () =>
        untilFound('SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [
          rows[0]?.pid,
        ]),
      release: () => client.end(),
    };
  }

  /**
   * Waits until a service has erased what it keeps, and in the same transaction comes to its outbox: to what
   * is to be deleted there, or to its answer to accounts.
   */
  function untilAnswering(service: Service): Promise<void> {
    return untilFound(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = $1 AND wait_event_type = 'Lock'
          AND query ~ 'INSERT INTO outbox|FROM outbox own'`,
      [`fiado ${service}`],
    );
  }

  async function untilFound(text: string, values: unknown[]): Promise<void> {
    await waitFor(async () => (await owner.query(text, values)).rowCount || undefined, DEADLINE_MS);
  }

  /** kill -9; the jobs that it worked on are free at once, as they are after ten seconds. */
  async function kill(service: Service): Promise<void> {
    system.kill(service);
    await owner.query(
      `UPDATE bullmq.job SET locked_until_ms = 0, stalled_marked = true
        WHERE state = 'active' AND queue = $1`,
      [`fiado-${service}`],
    );
  }

  async function seed(wholesaler: Wholesaler, provider: Provider): Promise<Store> {
    const { store } = await createStoreWithKycLink(system, wholesaler);
    const path = `/admin/corner-stores/${store.cornerStoreId}/approve`;
    expect((await system.call(system.opsKey, 'POST', path)).status).toBe(200);
    await buyAndPay(system, { wholesaler, provider, store });
    return store;
  }

  function storeOf(name: string): Store {
    const store = stores.get(name);
    if (store === undefined) throw new Error(`${name} is not seeded`);
    return store;
  }

  /** Another request that is open holds the suppression back. @returns the path of the cancellation */
  async function grant(name: string): Promise<string> {
    openRequests.set(name, await request(name, 'opposition'));
    const path = await request(name, 'cancellation');
    await answer(path, { outcome: 'granted' });
    return path;
  }

  /** @returns its path */
  async function request(name: string, kind: string): Promise<string> {
    const { userId } = storeOf(name);
    const opened = await system.call(system.opsKey, 'POST', '/admin/privacy-requests', {
      body: { userId, kind, channel: 'email', identityProof: 'official-id' },
    });
    return `/admin/privacy-requests/${opened.body.privacyRequestId}`;
  }

  async function answer(path: string, body: object): Promise<void> {
    expect((await system.call(system.opsKey, 'POST', `${path}/answer`, { body })).status).toBe(200);
  }

  /** Lets the day of the suppressions come, all at once. */
  async function suppress(names: Name[]): Promise<void> {
    for (const name of names) {
      await answer(openRequests.get(name) ?? '', { outcome: 'refused', reasonCode: 'no-data' });
    }
    await owner.query(
      `UPDATE accounts.erasures SET due_at = now() WHERE phase = 'suppress' AND user_id = ANY ($1)`,
      [names.map((name) => storeOf(name).userId)],
    );
  }

  /** The persons of whom a step is done. */
  async function doneOf(phase: Phase): Promise<string[]> {
    const { rows } = await owner.query<{ userId: string }>(
      `SELECT user_id AS "userId" FROM accounts.erasures WHERE phase = $1 AND state = 'done'`,
      [phase],
    );
    return [...stores.keys()].filter((name) =>
      rows.some(({ userId }) => userId === storeOf(name).userId),
    );
  }

  async function untilDone(phase: Phase, names: string[]): Promise<void> {
    await waitFor(async () => {
      const done = await doneOf(phase);
      return names.every((name) => done.includes(name)) || undefined;
    }, DEADLINE_MS);
  }

  /** What each service reported; without jobs, of which those that are under way stay. */
  async function partsOf(name: string, phase: Phase): Promise<Part[]> {
    const { rows } = await owner.query<Part>(
      `SELECT service, rows FROM accounts.erasure_parts p JOIN accounts.erasures e ON e.id = erasure_id
        WHERE user_id = $1 AND phase = $2 ORDER BY service`,
      [storeOf(name).userId, phase],
    );
    return rows.map((part) => ({
      ...part,
      rows: part.rows.filter(({ table }) => table !== 'outbox'),
    }));
  }

  /** Whether each entry of a step in the audit log has the hash of its report: there is one. */
  async function auditedOf(name: Name, phase: Phase): Promise<boolean[]> {
    const { rows } = await owner.query<{ isSame: boolean }>(
      `SELECT details->>'sha256' = encode(sha256(convert_to(report, 'UTF8')), 'hex') AS "isSame"
         FROM accounts.audit_log a JOIN accounts.erasures e ON e.user_id = a.object_id
        WHERE e.user_id = $1 AND phase = $2 AND action = $3`,
      [storeOf(name).userId, phase, phase === 'block' ? 'person.blocked' : 'person.erased'],
    );
    return rows.map(({ isSame }) => isSame);
  }
});
