import { randomUUID } from 'node:crypto';
import type { Caller } from '@fiado/contracts/caller';
import { ops, staffMember } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import type { Answer } from '@fiado/chassis/testing/call';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startAccounts } from './support/accounts';
import { approveChange, CHANGE_REQUESTS, person, shownChange } from './support/change-requests';
import { SoftPasskey } from './support/soft-passkey';
import { enrol, invite, isLive, refusal, signedIn, tokenIn } from './support/staff';

const STAFF = '/v1/admin/staff';

const accounts = forAllTests(startAccounts);

const ana = person('admin');
const bruno = person('admin');

const inviteAs = (by: Caller, email: string, role = 'approver'): Promise<Answer> =>
  accounts.call(by, 'POST', STAFF, { body: { email, name: 'Ana Torres', role } });
const setRole = (by: Caller, staffId: string, role: string): Promise<Answer> =>
  accounts.call(by, 'PUT', `${STAFF}/${staffId}`, { body: { role } });
const disable = (by: Caller, staffId: string): Promise<Answer> =>
  accounts.call(by, 'POST', `${STAFF}/${staffId}/disable`);
const collect = (id: string, by = bruno): Promise<Answer> =>
  accounts.call(by, 'POST', `${CHANGE_REQUESTS}/${id}/collect`);
const approve = (id: string, by = bruno): Promise<Answer> => approveChange(accounts, id, by);
const newEmail = (): string => `carla-${randomUUID()}@lender.example`;

async function requested(answer: Promise<Answer>): Promise<string> {
  const { status, body } = await answer;
  expect(status).toBe(202);
  return body.changeRequestId;
}

async function listed(staffId: string): Promise<Record<string, unknown>> {
  const { body } = await accounts.call(ops(), 'GET', `${STAFF}?limit=100`);
  return body.staff.find((one: { staffId: string }) => one.staffId === staffId);
}

describe('an invitation by a person', () => {
  it('adds nobody before a second person approves and collects the link, once', async () => {
    const email = newEmail();
    const id = await requested(inviteAs(ana, email.toUpperCase()));
    expect(await shownChange(accounts, id)).toMatchObject({
      kind: 'staff.invite',
      targetId: null,
      before: {},
      after: { email, name: 'Ana Torres', role: 'approver' },
    });
    expect((await approve(id, ana)).body.errorCode).toBe('SECOND_PERSON_REQUIRED');
    expect((await approve(id, person('approver'))).body.errorCode).toBe('FORBIDDEN');
    expect((await approve(id)).status).toBe(200);
    expect(await accounts.rows('SELECT FROM staff WHERE email = $1', [email])).toEqual([]);
    expect((await collect(id, ana)).body.errorCode).toBe('SECOND_PERSON_REQUIRED');

    const answers = await Promise.all([collect(id), collect(id)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422]);
    const collected = answers.find(({ status }) => status === 201)?.body ?? {};
    const token = tokenIn({ body: collected });
    expect((await enrol(accounts, token, new SoftPasskey())).status).toBe(200);
    expect(JSON.stringify(await shownChange(accounts, id))).not.toContain(token);
    const audited = await accounts.rows<{ details: object }>(
      `SELECT details FROM audit_log WHERE details ->> 'changeRequestId' = $1 OR object_id::text = $1`,
      [id],
    );
    expect(audited).toContainEqual({
      details: { role: 'approver', again: false, changeRequestId: id, approvedBy: bruno.id },
    });
    expect(JSON.stringify(audited)).not.toContain(email);
    const log = `/v1/admin/audit?action=staff.invited&objectId=${String(collected['staffId'])}`;
    expect((await accounts.call(ops(), 'GET', log)).body.entries).toMatchObject([
      {
        actorId: bruno.id,
        objectName: 'Ana Torres',
      },
    ]);
  });

  it('of somebody who is there shows on the person, and is the same request when asked again', async () => {
    const { staffId, email } = await signedIn(accounts, 'approver');
    const id = await requested(inviteAs(ana, email));
    expect(await shownChange(accounts, id)).toMatchObject({
      targetId: staffId,
      before: { passkeys: 1, disabledAt: null },
    });
    expect(await listed(staffId)).toMatchObject({
      pendingChange: { changeRequestId: id, kind: 'staff.invite', requestedBy: ana.id },
    });
    expect(await requested(inviteAs(ana, email))).toBe(id);
    expect(refusal(await inviteAs(bruno, email))).toEqual([409, 'CHANGE_ALREADY_REQUESTED']);
    expect(refusal(await inviteAs(ana, email, 'admin'))).toEqual([409, 'STAFF_ALREADY_EXISTS']);
  });

  it('cannot bring back who was disabled after the approval, nor replace a passkey made since', async () => {
    const left = await signedIn(accounts, 'approver');
    const newcomer = await invite(accounts, 'approver');
    const ids: string[] = [];
    for (const { email } of [left, newcomer]) ids.push(await requested(inviteAs(ana, email)));
    for (const id of ids) await approve(id);
    await disable(ana, left.staffId);
    const enrolled = await enrol(accounts, newcomer.invitationToken, new SoftPasskey());

    for (const id of ids) {
      expect(refusal(await collect(id))).toEqual([409, 'CHANGE_IS_STALE']);
      expect(await shownChange(accounts, id)).toMatchObject({ status: 'failed', failure: 'STALE' });
    }
    expect(await listed(left.staffId)).toMatchObject({ disabledAt: expect.any(String) });
    expect(await isLive(accounts, enrolled.body.sessionToken)).toBe(true);
  });

  it('of a new person is stale when a key has invited that person meanwhile', async () => {
    const email = newEmail();
    const id = await requested(inviteAs(ana, email));
    await approve(id);
    expect((await inviteAs(ops(), email)).status).toBe(201);
    expect(refusal(await collect(id))).toEqual([409, 'CHANGE_IS_STALE']);
  });
});

describe('a role', () => {
  it('that allows more waits, and ends the sessions once it is approved', async () => {
    const { staffId, session } = await signedIn(accounts, 'viewer');
    const id = await requested(setRole(ana, staffId, 'approver'));
    expect(await listed(staffId)).toMatchObject({
      role: 'viewer',
      pendingChange: { changeRequestId: id, kind: 'staff.role' },
    });
    expect((await approve(id)).status).toBe(200);
    await until('the role is changed', async () => (await listed(staffId))['role'] === 'approver');
    expect(await shownChange(accounts, id)).toMatchObject({ status: 'executed' });
    expect(await isLive(accounts, session.sessionToken)).toBe(false);
  });

  it('that allows less counts at once, and makes a waiting raise stale', async () => {
    const { staffId } = await invite(accounts, 'operator');
    const id = await requested(setRole(ana, staffId, 'admin'));
    expect((await setRole(bruno, staffId, 'viewer')).body.role).toBe('viewer');
    await approve(id);
    await until('it has failed', async () => {
      const { status } = await shownChange(accounts, id);
      return status === 'failed';
    });
    expect(await listed(staffId)).toMatchObject({ role: 'viewer', pendingChange: null });
  });
});

it('who loses rights ends what that person began, and no request of others', async () => {
  await invite(accounts, 'admin');
  const { staffId } = await signedIn(accounts, 'admin');
  const leaving = staffMember('admin', new Date(), staffId);
  const { staffId: other } = await invite(accounts, 'viewer');
  const own = [
    await requested(inviteAs(leaving, newEmail())),
    await requested(setRole(leaving, other, 'approver')),
  ];
  const about = await requested(inviteAs(leaving, newEmail()));
  await approve(about);
  const held = await requested(inviteAs(ana, newEmail()));
  await approve(held, leaving);
  const link = tokenIn(await collect(held, leaving));
  const ofAna = await requested(inviteAs(ana, newEmail()));

  expect((await setRole(bruno, staffId, 'viewer')).status).toBe(200);
  for (const id of [...own, about]) {
    expect(await shownChange(accounts, id)).toMatchObject({ failure: 'REQUESTER_LOST_ACCESS' });
  }
  expect((await shownChange(accounts, ofAna))['status']).toBe('pending');
  expect((await enrol(accounts, link, new SoftPasskey())).status).toBe(422);
  const jobs = `SELECT count(*)::int AS jobs FROM outbox
                 WHERE type = 'ops-access.ended' AND data ->> 'actorId' = $1`;
  const [sent] = await accounts.rows<{ jobs: number }>(jobs, [staffId]);
  expect(sent?.jobs).toBe(2);
});

describe('the last admin', () => {
  it('stays, also when two end each other’s access at once; a key may end it', async () => {
    const [one, other] = [await invite(accounts, 'admin'), await invite(accounts, 'admin')];
    await accounts.rows('UPDATE staff SET disabled_at = now() WHERE NOT id = ANY ($1)', [
      [one.staffId, other.staffId],
    ]);
    const callers = [one, other].map(({ staffId }) => staffMember('admin', new Date(), staffId));
    const [first = ana, second = ana] = callers;
    const answers = await Promise.all([disable(first, second.id), disable(second, first.id)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);

    const left = answers[0]?.status === 200 ? first : second;
    expect(refusal(await disable(left, left.id))).toEqual([409, 'LAST_ADMIN']);
    expect(refusal(await setRole(left, left.id, 'viewer'))).toEqual([409, 'LAST_ADMIN']);
    expect((await disable(ops(), left.id)).status).toBe(200);
  });
});
