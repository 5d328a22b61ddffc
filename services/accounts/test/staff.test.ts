import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startAccounts } from './support/accounts';
import { SoftPasskey } from './support/soft-passkey';
import {
  callerOf,
  enrol,
  invite,
  isLive,
  refusal,
  signedIn,
  signIn,
  signInStep,
  staffAudit,
} from './support/staff';

const SIGN_IN_REFUSED = [422, 'SIGN_IN_NOT_VALID'];

describe('staff', () => {
  const accounts = forAllTests(startAccounts);

  it('an invitation, a passkey and a session become a caller of ops with the role', async () => {
    const { staffId, session } = await signedIn(accounts, 'approver');
    expect(session.sessionToken).toMatch(/^fiado_session_[\w-]{43}$/);

    expect(await callerOf(accounts, session.sessionToken)).toEqual({
      kind: 'ops',
      id: staffId,
      name: 'Ana Torres',
      scopes: ['viewer', 'operator', 'approver'],
      staff: { authTime: expect.stringMatching(/Z$/) },
    });
    expect(await staffAudit(accounts, staffId)).toEqual([
      { actor_id: 'ops', action: 'staff.invited' },
      { actor_id: staffId, action: 'staff.passkey-enrolled' },
      { actor_id: staffId, action: 'staff.signed-in' },
    ]);
  });

  it('no token is kept, only its hash', async () => {
    const { invitationToken, session } = await signedIn(accounts);
    const dump = JSON.stringify(
      await accounts.rows(
        `SELECT row::text FROM staff_invitations row UNION ALL SELECT row::text FROM staff_sessions row
         UNION ALL SELECT row::text FROM staff_challenges row`,
      ),
    );
    expect(dump).not.toContain(invitationToken);
    expect(dump).not.toContain(session.sessionToken);
  });

  describe('an invitation', () => {
    it('tells whom it is for, and is not used up by being opened', async () => {
      const { invitationToken, email } = await invite(accounts, 'viewer');
      for (let opened = 0; opened < 2; opened++) {
        const { body } = await signInStep(accounts, 'invitation', { invitationToken });
        expect(body).toEqual({
          valid: true,
          email,
          name: 'Ana Torres',
          role: 'viewer',
          passkeyOptional: true,
        });
      }
    });

    it('works once, whoever comes second', async () => {
      const { invitationToken } = await invite(accounts);
      const both = await Promise.all(
        [new SoftPasskey(), new SoftPasskey()].map((passkey) =>
          enrol(accounts, invitationToken, passkey),
        ),
      );
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
      const later = await enrol(accounts, invitationToken, new SoftPasskey());
      expect(refusal(later)).toEqual(SIGN_IN_REFUSED);
    });

    it('is void when it is older than a day, replaced, or its person is disabled', async () => {
      const old = await invite(accounts);
      await accounts.rows('UPDATE staff_invitations SET expires_at = now() WHERE staff_id = $1', [
        old.staffId,
      ]);
      const replaced = await invite(accounts);
      const again = { email: replaced.email.toUpperCase(), name: 'Ana Torres', role: 'admin' };
      const answer = await accounts.call(ops(), 'POST', '/v1/admin/staff', { body: again });
      expect([answer.status, answer.body.staffId]).toEqual([201, replaced.staffId]);
      const disabled = await invite(accounts);
      await accounts.call(ops(), 'POST', `/v1/admin/staff/${disabled.staffId}/disable`);

      for (const { invitationToken } of [old, replaced, disabled]) {
        expect((await signInStep(accounts, 'invitation', { invitationToken })).body).toEqual({
          valid: false,
        });
        const refused = await enrol(accounts, invitationToken, new SoftPasskey());
        expect(refusal(refused)).toEqual(SIGN_IN_REFUSED);
      }
    });

    it('replaces a lost passkey and ends the sessions that were opened with it', async () => {
      const { email, passkey, session } = await signedIn(accounts);
      const body = { email, name: 'Ana Torres', role: 'admin' };
      const answer = await accounts.call(ops(), 'POST', '/v1/admin/staff', { body });
      const invitationToken = String(answer.body.invitationLink).split('/').at(-1) ?? '';
      const found = new SoftPasskey();
      expect((await enrol(accounts, invitationToken, found)).status).toBe(200);

      expect(await isLive(accounts, session.sessionToken)).toBe(false);
      expect(refusal(await signIn(accounts, passkey))).toEqual(SIGN_IN_REFUSED);
      expect((await signIn(accounts, found)).status).toBe(200);
    });

    it('does not give another role or name to somebody who is there', async () => {
      const { email } = await invite(accounts, 'viewer');
      const body = { email, name: 'Ana Torres', role: 'admin' };
      expect(refusal(await accounts.call(ops(), 'POST', '/v1/admin/staff', { body }))).toEqual([
        409,
        'STAFF_ALREADY_EXISTS',
      ]);
    });

    it('cannot be finished with the challenge of another person’s', async () => {
      const ana = await invite(accounts);
      const beto = await invite(accounts);
      const begun = await signInStep(accounts, 'passkey-creation', {
        invitationToken: beto.invitationToken,
      });
      const response = new SoftPasskey().create(begun.body.options);
      const { invitationToken } = ana;
      const answer = await signInStep(accounts, 'enrol', { invitationToken, response });
      expect(refusal(answer)).toEqual(SIGN_IN_REFUSED);
    });

    it('signs in without a passkey only in a sandbox', async () => {
      const { invitationToken, staffId } = await invite(accounts);
      const { body } = await signInStep(accounts, 'link', { invitationToken });
      expect((await callerOf(accounts, body.sessionToken)).id).toBe(staffId);
      const again = await signInStep(accounts, 'link', { invitationToken });
      expect(refusal(again)).toEqual(SIGN_IN_REFUSED);

      const { config } = accounts.context;
      const other = await invite(accounts);
      Object.assign(config, { FIADO_MODE: 'production' });
      try {
        const refused = await signInStep(accounts, 'link', other);
        expect(refusal(refused)).toEqual(SIGN_IN_REFUSED);
      } finally {
        Object.assign(config, { FIADO_MODE: 'sandbox' });
      }
    });
  });

  it('the list of staff comes in pages', async () => {
    const { staffId } = await invite(accounts);
    const first = await accounts.call(ops(), 'GET', '/v1/admin/staff?limit=1');
    expect(first.body.staff[0]).toMatchObject({ staffId, passkeys: 0, disabledAt: null });
    const next = `/v1/admin/staff?limit=1&cursor=${first.body.nextCursor}`;
    const second = await accounts.call(ops(), 'GET', next);
    expect(second.body.staff[0].staffId).not.toBe(staffId);
  });

  it.each([
    ['PUT', '', { role: 'viewer' }],
    ['POST', '/disable', {}],
  ])('%s of somebody unknown%s is not found', async (method, end, body) => {
    const path = `/v1/admin/staff/${randomUUID()}${end}`;
    expect(refusal(await accounts.call(ops(), method, path, { body }))).toEqual([
      404,
      'STAFF_NOT_FOUND',
    ]);
  });
});
