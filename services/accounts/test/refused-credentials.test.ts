import { randomUUID } from 'node:crypto';
import type { Caller } from '@fiado/contracts/caller';
import { MAX_REFUSED_CALLERS } from '@fiado/contracts/credential';
import { ops, service, wholesaler } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { Client } from 'pg';
import { createWholesaler, startAccounts, type Accounts } from './support/accounts';

const HOUR_MS = 3600_000;

let accounts: Accounts;
let owner: Client;
let now = Date.now();

beforeAll(async () => {
  accounts = await startAccounts({ clock: { now: () => new Date(now) } });
  owner = new Client({ connectionString: accounts.ownerUrl });
  await owner.connect();
});
beforeEach(() => {
  now = Date.now();
});
afterAll(async () => {
  await owner.end();
  await accounts.stop();
});

/** The log refuses it to anybody but the owner, who goes past its trigger. */
async function clearLog(): Promise<void> {
  await owner.query('SET session_replication_role = replica');
  await owner.query('DELETE FROM accounts.audit_log');
}

/** Reports, and takes the entries. What the end of a minute came between is done again. */
async function inOneMinute(reports: () => Promise<unknown>): Promise<object[]> {
  for (;;) {
    await clearLog();
    const before = await minute();
    await reports();
    const found = await entries();
    if ((await minute()) === before) return found;
  }
}

async function minute(): Promise<string> {
  const [row] = await accounts.rows<{ minute: string }>(
    `SELECT date_trunc('minute', now())::text AS minute`,
  );
  return row?.minute ?? '';
}

function report(callers: object[], by = service('gateway')): Promise<Answer> {
  return accounts.call(by, 'POST', '/internal/refused-credentials', { body: { callers } });
}

function entries(): Promise<object[]> {
  return accounts.rows(
    `SELECT actor_kind, actor_id, object_id, details FROM audit_log
      WHERE action = 'credential.refused' ORDER BY actor_id, details->>'keyId'`,
  );
}

const strangers = (count: number, from: string) =>
  Array.from({ length: count }, (_, at) => ({ address: `${from}.${at}`, count: 1 }));

describe('the report of refused credentials', () => {
  it('is one audit entry a minute for each address and key', async () => {
    const keyId = randomUUID();
    const caller = { address: '2001:db8:0:1::/64', keyId, count: 3 };
    const found = await inOneMinute(async () => {
      await report([caller, { address: '192.0.2.1', count: 7 }]);
      await report([caller, { ...caller, keyId: 'ops-0123' }, { address: '192.0.2.1', count: 1 }]);
    });

    expect(found).toEqual([
      {
        actor_kind: 'address',
        actor_id: '192.0.2.1',
        object_id: null,
        details: { keyId: null, count: 7 },
      },
      {
        actor_kind: 'address',
        actor_id: '2001:db8:0:1::/64',
        object_id: keyId,
        details: { keyId, count: 3 },
      },
      {
        actor_kind: 'address',
        actor_id: '2001:db8:0:1::/64',
        object_id: null,
        details: { keyId: 'ops-0123', count: 3 },
      },
    ]);
  });

  it('is an entry again in the next minute', async () => {
    await clearLog();
    await accounts.rows(
      `INSERT INTO audit_log (id, occurred_at, actor_kind, actor_id, action, details)
       VALUES (gen_random_uuid(), now() - interval '1 minute', 'address', '192.0.2.1',
               'credential.refused', '{"keyId": null, "count": 1}')`,
    );
    await report([{ address: '192.0.2.1', count: 2 }]);
    expect(await entries()).toHaveLength(2);
  });

  it('is limited to a hundred entries a minute over all callers and gateways', async () => {
    const found = await inOneMinute(() =>
      Promise.all(
        ['10.0.0', '10.0.1', '10.0.2', '10.0.3'].map((from) =>
          report(strangers(MAX_REFUSED_CALLERS, from)),
        ),
      ),
    );
    expect(found).toHaveLength(MAX_REFUSED_CALLERS);
  });

  it('keeps entries with known keys during a flood', async () => {
    const keyId = randomUUID();
    const found = await inOneMinute(async () => {
      await report(strangers(MAX_REFUSED_CALLERS - 1, '10.0.0'));
      await report([...strangers(20, '10.0.1'), { address: '192.0.2.1', keyId, count: 1 }]);
    });
    expect(found).toContainEqual(expect.objectContaining({ object_id: keyId }));
  });

  it('is for services alone, and has a limit', async () => {
    for (const caller of [ops(), wholesaler()]) {
      expect((await report(strangers(1, '10.0.0'), caller)).status).toBe(403);
    }
    expect((await report(strangers(MAX_REFUSED_CALLERS + 1, '10.0.0'))).status).toBe(400);
    expect((await report([{ address: 'x'.repeat(101), count: 1 }])).status).toBe(400);
  });
});

describe('the refusal of a credential', () => {
  const check = (credential: string) =>
    accounts.call(service('gateway'), 'POST', '/internal/credentials/check', {
      body: { credential },
    });

  it('returns the key of an expired token, and of an expired key, to the gateway', async () => {
    const { apiKey, apiKeyId } = await createWholesaler(accounts);
    const caller = (await check(apiKey)).body.caller as Caller;
    const { accessToken } = (await accounts.call(caller, 'POST', '/v1/auth/token')).body;
    const refusal = { status: 401, body: { errorCode: 'UNAUTHORIZED', keyId: apiKeyId } };

    now += HOUR_MS;
    expect(await check(accessToken)).toMatchObject(refusal);
    now -= HOUR_MS;
    await accounts.call(ops(), 'DELETE', `/v1/admin/api-keys/${apiKeyId}`);
    expect(await check(accessToken)).toMatchObject(refusal);
    expect(await check(apiKey)).toMatchObject(refusal);
  });

  it('returns no key for a credential that was never issued', async () => {
    const { apiKey } = await createWholesaler(accounts);
    const caller = (await check(apiKey)).body.caller as Caller;
    const { accessToken } = (await accounts.call(caller, 'POST', '/v1/auth/token')).body;
    for (const credential of ['fiado_test_x', `${accessToken.slice(0, -8)}AAAAAAAA`]) {
      const { status, body } = await check(credential);
      expect([status, body]).toEqual([
        401,
        expect.not.objectContaining({ keyId: expect.anything() }),
      ]);
    }
  });
});
