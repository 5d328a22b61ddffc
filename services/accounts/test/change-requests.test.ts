import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { ops, service, staffMember } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { executeChange as executeChangeJob } from '@fiado/contracts/jobs/changes';
import { forAllTests } from '../../../test/support/for-all-tests';
import { expireChangeRequests } from '../src/approvals/expire-change-requests';
import { createWholesaler, startAccounts } from './support/accounts';
import {
  approveChange,
  CHANGE_REQUESTS,
  changeEnded,
  newStore as newStoreOf,
  person,
  shownChange,
  updateStore,
} from './support/change-requests';

const MINUTE_MS = 60_000;

const accounts = forAllTests(startAccounts);
let wholesalerId: string;
beforeAll(async () => {
  ({ wholesalerId } = await createWholesaler(accounts));
});

const ana = person();

const newStore = () => newStoreOf(accounts, wholesalerId);

const update = (cornerStoreId: string, body: object, by = ana) =>
  updateStore(accounts, by, cornerStoreId, body);

async function request(cornerStoreId: string, body: object = { creditLimit: 9000 }) {
  const answer = await update(cornerStoreId, body);
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({ changeRequestId: expect.any(String), status: 'pending' });
  return answer.body.changeRequestId as string;
}

const approve = (id: string, by = person()) => approveChange(accounts, id, by);

const shown = (id: string) => shownChange(accounts, id);

const finished = (id: string) => changeEnded(accounts, id);

async function store(cornerStoreId: string): Promise<Record<string, unknown>> {
  const path = `/v1/admin/corner-stores?wholesalerId=${wholesalerId}`;
  let cursor = '';
  for (;;) {
    const { body } = await accounts.call(ops(), 'GET', path + cursor);
    const found = body.cornerStores.find(
      (one: { cornerStoreId: string }) => one.cornerStoreId === cornerStoreId,
    );
    if (found !== undefined) return found;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

it('a person’s higher limit waits, shows on the store, and counts once a second person approves', async () => {
  const cornerStoreId = await newStore();
  const id = await request(cornerStoreId, { creditLimit: 9000, reason: 'Pays on time' });
  expect(await store(cornerStoreId)).toMatchObject({
    creditLimit: 5000,
    pendingChange: { changeRequestId: id, kind: 'corner-store.terms', requestedBy: ana.id },
  });
  expect(await shown(id)).toMatchObject({
    before: { creditLimitCents: 500_000 },
    after: { creditLimitCents: 900_000 },
    reason: 'Pays on time',
  });

  const bruno = person();
  expect((await approve(id, bruno)).body).toMatchObject({
    status: 'approved',
    decidedBy: bruno.id,
  });
  await finished(id);
  expect(await shown(id)).toMatchObject({ status: 'executed' });
  expect(await store(cornerStoreId)).toMatchObject({ creditLimit: 9000, pendingChange: null });
  const audited = await accounts.rows<{ details: object }>(
    `SELECT details FROM audit_log WHERE object_id = $1 AND action = 'corner-store.changed'`,
    [cornerStoreId],
  );
  expect(audited).toEqual([
    {
      details: {
        before: { creditLimitCents: 500_000 },
        after: { creditLimitCents: 900_000 },
        changeRequestId: id,
        approvedBy: bruno.id,
      },
    },
  ]);
});

it.each([
  [{ creditLimit: 6250 }, 200],
  [{ creditLimit: 1000 }, 200],
  [{ interestRate: 0.05 }, 200],
  [{ creditLimit: 6250.01 }, 202],
  [{ interestRate: 0.04 }, 202],
])('%j of a person is answered with %i', async (body, status) => {
  expect((await update(await newStore(), body)).status).toBe(status);
});

it('a key of a machine acts at once', async () => {
  const answer = await update(await newStore(), { creditLimit: 90_000, interestRate: 0.5 }, ops());
  expect([answer.status, answer.body.creditLimit]).toEqual([200, 90_000]);
});

it('asked again it is the same request; another change of the store is refused', async () => {
  const cornerStoreId = await newStore();
  const changeRequestId = await request(cornerStoreId);
  expect(await request(cornerStoreId)).toBe(changeRequestId);
  expect(await update(cornerStoreId, { creditLimit: 9500 })).toMatchObject({
    status: 409,
    body: { errorCode: 'CHANGE_ALREADY_REQUESTED', changeRequestId },
  });
});

it('who asked cannot approve, by the API or past it', async () => {
  const id = await request(await newStore());
  expect(await approve(id, ana)).toMatchObject({
    status: 403,
    body: { errorCode: 'SECOND_PERSON_REQUIRED' },
  });
  await expect(
    accounts.rows(
      `UPDATE change_requests SET status = 'approved', decided_by = requested_by, decided_at = now()
        WHERE id = $1`,
      [id],
    ),
  ).rejects.toThrow('change_requests_check');
});

it('a decision needs a person, a sign-in of at most five minutes, and the scope', async () => {
  const id = await request(await newStore());
  const old = staffMember('approver', new Date(Date.now() - 6 * MINUTE_MS));
  for (const by of [old, ops()]) {
    expect(await approve(id, by)).toMatchObject({
      status: 403,
      body: { errorCode: 'SIGN_IN_REQUIRED' },
    });
  }
  expect((await approve(id, person('operator'))).body.errorCode).toBe('FORBIDDEN');
  expect(
    (await approve(id, staffMember('approver', new Date(Date.now() - 4 * MINUTE_MS)))).status,
  ).toBe(200);
});

it('of two people who approve at once one does, and the change is made once', async () => {
  const cornerStoreId = await newStore();
  const id = await request(cornerStoreId);
  const answers = await Promise.all([approve(id), approve(id), approve(id)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
  await finished(id);
  expect(await accounts.outbox('execute-change')).toEqual([]);
  // As a process of the release before sends it.
  await accounts.deliver(executeChangeJob, { id, version: 1 }, { changeRequestId: id });
  expect(await shown(id)).toMatchObject({ status: 'executed', failure: null });
  const [{ count } = { count: 0 }] = await accounts.rows<{ count: number }>(
    `SELECT count(*) FROM audit_log WHERE object_id = $1 AND action = 'corner-store.changed'`,
    [cornerStoreId],
  );
  expect(count).toBe(1);
});

describe('an approved change', () => {
  const rowOf = async (id: string) =>
    (
      await accounts.rows<{ status: string; attempts: number; last_error: string | null }>(
        'SELECT status, attempts, last_error, dead_at IS NOT NULL AS dead FROM change_requests WHERE id = $1',
        [id],
      )
    )[0];
  const asNotifier = (path: string, body: object) =>
    accounts.call(service('notifier'), 'POST', `/internal/dead-letters/${path}`, { body });

  it('is made by a round that nothing woke, after its process was killed', async () => {
    const id = await request(await newStore());
    const wake = jest.spyOn(accounts.context.changeWorker, 'wake').mockReturnValue();
    await approve(id);
    wake.mockRestore();
    await finished(id);
    expect(await rowOf(id)).toMatchObject({ status: 'executed', attempts: 1 });
  });

  it('that makes a secret waits for its requester: no round attempts it', async () => {
    const body = { email: `carla-${randomUUID()}@lender.example`, name: 'Carla', role: 'viewer' };
    const invited = await accounts.call(person('admin'), 'POST', '/v1/admin/staff', { body });
    const secret: string = invited.body.changeRequestId;
    expect((await approve(secret, person('admin'))).status).toBe(200);
    const later = await request(await newStore());
    await approve(later);
    await finished(later);
    expect(await rowOf(secret)).toEqual({
      status: 'approved',
      attempts: 0,
      last_error: null,
      dead: false,
    });
  });

  it('is made with the id of the request that approved it', async () => {
    const cornerStoreId = await newStore();
    const id = await request(cornerStoreId);
    const headers = { 'x-request-id': `approval-${id}` };
    await accounts.call(person(), 'POST', `${CHANGE_REQUESTS}/${id}/approve`, { headers });
    await finished(id);
    const events = await accounts.rows(
      `SELECT DISTINCT request_id FROM outbox
        WHERE type = 'corner-store.changed' AND aggregate_id = $1 AND aggregate_version = 2`,
      [cornerStoreId],
    );
    expect(events).toEqual([{ request_id: headers['x-request-id'] }]);
  });

  it('of a process of the release before is made by its job', async () => {
    const id = await request(await newStore());
    await accounts.rows(
      `UPDATE change_requests SET status = 'approved', decided_by = 'luis', decided_at = now()
        WHERE id = $1`,
      [id],
    );
    await accounts.deliver(executeChangeJob, { id, version: 1 }, { changeRequestId: id });
    expect(await rowOf(id)).toMatchObject({ status: 'executed', attempts: 0 });
  });

  it('that fails is a dead letter, stops no other, and is made when ops retries it', async () => {
    const broken = await newStore();
    const owner = new Client({ connectionString: accounts.ownerUrl });
    await owner.connect();
    try {
      await owner.query(
        `ALTER TABLE accounts.corner_stores ADD CONSTRAINT broken
           CHECK (id <> '${broken}' OR version < 2) NOT VALID`,
      );
      const [id, other] = [await request(broken), await request(await newStore())];
      await approve(id);
      await approve(other);
      await finished(other);
      await until('it is dead', async () => {
        await accounts.rows('UPDATE change_requests SET next_attempt_at = now() WHERE id = $1', [
          id,
        ]);
        accounts.context.changeWorker.loop.wake();
        return (await asNotifier('rows', { start: 0, count: 1 })).body.rows.length === 1;
      });
      expect((await asNotifier('rows', { start: 0, count: 5 })).body.rows).toMatchObject([
        { jobId: id, type: 'execute-change', attempts: 8, failedReason: expect.any(String) },
      ]);
      await owner.query('ALTER TABLE accounts.corner_stores DROP CONSTRAINT broken');
      const { body } = await asNotifier('retry', { queue: 'accounts', jobId: id });
      expect(body.retried).toMatchObject([{ jobId: id, type: 'execute-change' }]);
      await finished(id);
      expect(await rowOf(id)).toMatchObject({ status: 'executed', attempts: 1, last_error: null });
    } finally {
      await owner.end();
    }
  });
});

it('a store that was changed between request and execution is left alone', async () => {
  const cornerStoreId = await newStore();
  const id = await request(cornerStoreId);
  // By something that does not end what waits, such as an import that links the store.
  await accounts.rows('UPDATE corner_stores SET version = version + 1 WHERE id = $1', [
    cornerStoreId,
  ]);
  expect((await approve(id)).status).toBe(200);
  await finished(id);
  expect(await shown(id)).toMatchObject({ status: 'failed', failure: 'CHANGE_TARGET_CHANGED' });
  expect(await store(cornerStoreId)).toMatchObject({ creditLimit: 5000, pendingChange: null });
});

it('a rejected request changes nothing, and the next one may come', async () => {
  const cornerStoreId = await newStore();
  const id = await request(cornerStoreId);
  const path = `${CHANGE_REQUESTS}/${id}/reject`;
  expect((await accounts.call(person(), 'POST', path, { body: {} })).status).toBe(400);
  const body = { reason: 'Late twice' };
  expect((await accounts.call(person(), 'POST', path, { body })).body).toMatchObject({
    status: 'rejected',
    decisionReason: 'Late twice',
  });
  expect((await approve(id)).body.errorCode).toBe('CHANGE_REQUEST_IS_NOT_PENDING');
  expect(await request(cornerStoreId)).not.toBe(id);
});

it('after 72 hours it has expired', async () => {
  const id = await request(await newStore());
  await accounts.rows(
    `UPDATE change_requests SET expires_at = expires_at - interval '73 hours' WHERE id = $1`,
    [id],
  );
  expect((await approve(id)).body.errorCode).toBe('CHANGE_REQUEST_IS_NOT_PENDING');
  await expireChangeRequests(accounts.context);
  expect(await shown(id)).toMatchObject({ status: 'expired' });
});

it('requests are listed by their status, for operators', async () => {
  const id = await request(await newStore());
  const path = `${CHANGE_REQUESTS}?status=pending&limit=1`;
  const { body } = await accounts.call(ops('operator'), 'GET', path);
  expect(body.changeRequests).toMatchObject([{ changeRequestId: id }]);
  expect((await accounts.call(ops('viewer'), 'GET', path)).status).toBe(403);
  expect((await accounts.call(ops(), 'GET', `${CHANGE_REQUESTS}/${randomUUID()}`)).status).toBe(
    404,
  );
});
