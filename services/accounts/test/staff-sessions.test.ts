import { until } from '@fiado/chassis/testing/until';
import { ops, staffMember } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startAccounts } from './support/accounts';
import { SoftPasskey } from './support/soft-passkey';
import {
  callerOf,
  checkCredential,
  enrol,
  invite,
  isLive,
  refusal,
  signedIn,
  signIn,
  signInStep,
  staffAudit,
  tokenOf,
} from './support/staff';

interface Logged {
  event?: string;
  staffId?: string;
}

const SIGN_IN_REFUSED = [422, 'SIGN_IN_NOT_VALID'];

describe('signed-in staff', () => {
  const accounts = forAllTests(startAccounts);

  it('a person is told of a new passkey, another role and a session from elsewhere, for a week', async () => {
    const warn = jest.spyOn(accounts.context.log, 'warn');
    const { staffId, passkey } = await signedIn(accounts, 'operator');
    await signIn(accounts, passkey, { address: '203.0.113.7' });
    await signIn(accounts, passkey, { address: '203.0.113.7' });
    const path = `/v1/admin/staff/${staffId}`;
    await accounts.call(ops(), 'PUT', path, { body: { role: 'approver' } });
    const told = async () => {
      const by = staffMember('approver', new Date(), staffId);
      return (await accounts.call(by, 'GET', '/v1/admin/my/notices')).body.notices;
    };
    expect(await told()).toMatchObject([
      { kind: 'role-changed', detail: 'approver' },
      { kind: 'new-address', detail: '203.0.113.7' },
      { kind: 'new-passkey', detail: null },
    ]);
    await accounts.rows(
      `UPDATE staff_sessions SET created_at = now() - interval '8 days' WHERE staff_id = $1`,
      [staffId],
    );
    expect(await told()).toHaveLength(2);
    const events = await Promise.all(
      ['staff.passkey-enrolled', 'staff.role-changed', 'staff.signed-in-elsewhere'].map((action) =>
        accounts.call(ops(), 'GET', `/v1/admin/audit?action=${action}&objectId=${staffId}`),
      ),
    );
    expect(events.map(({ body }) => body.entries.length)).toEqual([1, 1, 1]);
    await until('each is an event in the log', () => {
      const logged = warn.mock.calls.map(([fields]) => fields as Logged);
      const ofPerson = logged.filter((fields) => fields.staffId === staffId);
      return Promise.resolve(new Set(ofPerson.map(({ event }) => event)).size === 3);
    });
    warn.mockRestore();
    // Also after so long an absence that no session is kept.
    await accounts.rows(
      `UPDATE staff_sessions SET ends_at = now() - interval '31 days' WHERE staff_id = $1`,
      [staffId],
    );
    await signIn(accounts, passkey, { address: '198.51.100.9' });
    expect((await told())[0]).toMatchObject({ kind: 'new-address', detail: '198.51.100.9' });
    expect((await accounts.call(ops(), 'GET', '/v1/admin/my/notices')).body).toEqual({
      notices: [],
    });
  });

  describe('a passkey', () => {
    it('signs in again, each time with a session of its own', async () => {
      const { passkey, session } = await signedIn(accounts);
      const { body } = await signIn(accounts, passkey);
      expect(body.sessionToken).not.toBe(session.sessionToken);
      expect([
        await isLive(accounts, session.sessionToken),
        await isLive(accounts, body.sessionToken),
      ]).toEqual([true, true]);
    });

    it('cannot use a signature twice', async () => {
      const { passkey } = await signedIn(accounts);
      const { body } = await signInStep(accounts, 'passkey-request');
      const response = passkey.get(body.options);
      expect((await signInStep(accounts, 'passkey', { response })).status).toBe(200);
      const replayed = await signInStep(accounts, 'passkey', { response });
      expect(refusal(replayed)).toEqual(SIGN_IN_REFUSED);
    });

    it('cannot sign in with a challenge that is old or that an invitation began', async () => {
      const { passkey } = await signedIn(accounts);
      const old = await signInStep(accounts, 'passkey-request');
      await accounts.rows('UPDATE staff_challenges SET expires_at = now()');
      const { invitationToken } = await invite(accounts);
      const foreign = await signInStep(accounts, 'passkey-creation', { invitationToken });

      for (const begun of [old, foreign, { body: { options: { challenge: 'bWFkZS11cA' } } }]) {
        const response = passkey.get(begun.body.options);
        const answer = await signInStep(accounts, 'passkey', { response });
        expect(refusal(answer)).toEqual(SIGN_IN_REFUSED);
      }
    });

    it.each([
      ['of another site', { origin: 'https://evil.example', rpId: 'evil.example' }, 0x05],
      ['of another origin', { origin: 'http://localhost:3000', rpId: 'localhost' }, 0x05],
      ['without finger, face or PIN', { origin: 'http://localhost:3010', rpId: 'localhost' }, 0x01],
    ])('is refused %s', async (_why, site, flags) => {
      const { invitationToken } = await invite(accounts);
      const answer = await enrol(accounts, invitationToken, new SoftPasskey(site, flags));
      expect(refusal(answer)).toEqual(SIGN_IN_REFUSED);
    });

    it('is refused when another key signed', async () => {
      const { passkey } = await signedIn(accounts);
      const forger = new SoftPasskey();
      Object.assign(forger, { id: passkey.id });
      expect(refusal(await signIn(accounts, forger))).toEqual(SIGN_IN_REFUSED);
    });

    it.each([{}, { id: 7 }, { id: 'x', response: { clientDataJSON: 'AAAA' } }, { response: null }])(
      'that is none is refused: %j',
      async (response) => {
        const { invitationToken } = await invite(accounts);
        for (const [step, body] of [
          ['passkey', { response }],
          ['enrol', { response, invitationToken }],
        ] as const) {
          expect(refusal(await signInStep(accounts, step, body))).toEqual(SIGN_IN_REFUSED);
        }
      },
    );
  });

  describe('a session', () => {
    const ends: Array<[string, string]> = [
      ['30 minutes without use', 'idle_until'],
      ['12 hours', 'ends_at'],
    ];
    it.each(ends)('ends after %s', async (_after, column) => {
      const { session, staffId } = await signedIn(accounts);
      const { accessToken } = await tokenOf(accounts, session.sessionToken);
      await accounts.rows(`UPDATE staff_sessions SET ${column} = now() WHERE staff_id = $1`, [
        staffId,
      ]);
      expect(await isLive(accounts, session.sessionToken)).toBe(false);
      expect((await checkCredential(accounts, accessToken)).status).toBe(401);
    });

    it('that is used puts off its end by idleness', async () => {
      const { session, staffId } = await signedIn(accounts);
      await accounts.rows(
        `UPDATE staff_sessions SET idle_until = now() + interval '1 minute' WHERE staff_id = $1`,
        [staffId],
      );
      expect(await isLive(accounts, session.sessionToken)).toBe(true);
      const [row] = await accounts.rows<{ minutes: number }>(
        `SELECT extract(epoch FROM idle_until - now())::int / 60 AS minutes
           FROM staff_sessions WHERE staff_id = $1`,
        [staffId],
      );
      expect(row?.minutes).toBeGreaterThan(28);
    });

    it('ends by signing out, with its credential of the API', async () => {
      const { session, staffId } = await signedIn(accounts);
      const { accessToken } = await tokenOf(accounts, session.sessionToken);
      for (let times = 0; times < 2; times++) {
        expect((await signInStep(accounts, 'end', session)).status).toBe(200);
      }
      expect(await isLive(accounts, session.sessionToken)).toBe(false);
      expect((await checkCredential(accounts, accessToken)).status).toBe(401);
      expect((await staffAudit(accounts, staffId)).at(-1)).toEqual({
        actor_id: staffId,
        action: 'staff.session-ended',
      });
    });

    it('ends with a new role and with the access of its person', async () => {
      const promoted = await signedIn(accounts, 'viewer');
      const left = await signedIn(accounts, 'admin');
      const role = { body: { role: 'approver' } };
      const path = `/v1/admin/staff/${promoted.staffId}`;
      expect((await accounts.call(ops(), 'PUT', path, role)).body.role).toBe('approver');
      const disabled = await accounts.call(
        ops(),
        'POST',
        `/v1/admin/staff/${left.staffId}/disable`,
      );
      expect(disabled.body.disabledAt).toMatch(/Z$/);

      expect(await isLive(accounts, promoted.session.sessionToken)).toBe(false);
      expect(await isLive(accounts, left.session.sessionToken)).toBe(false);
      expect((await signIn(accounts, promoted.passkey)).status).toBe(200);
      expect(refusal(await signIn(accounts, left.passkey))).toEqual(SIGN_IN_REFUSED);
    });

    it('is confirmed by the same person, and another takes its place', async () => {
      const { passkey, session, staffId } = await signedIn(accounts);
      await accounts.rows(
        `UPDATE staff_sessions SET auth_time = now() - interval '1 hour' WHERE staff_id = $1`,
        [staffId],
      );
      const old = (await callerOf(accounts, session.sessionToken)).staff?.authTime ?? '';
      const { sessionToken } = session;
      const { body } = await signIn(accounts, passkey, { sessionToken });

      const confirmed = (await callerOf(accounts, body.sessionToken)).staff?.authTime ?? '';
      expect(Date.parse(confirmed) - Date.parse(old)).toBeGreaterThan(50 * 60_000);
      expect(await isLive(accounts, sessionToken)).toBe(false);
    });

    it('is not confirmed by another person, and stays as it is', async () => {
      const ana = await signedIn(accounts);
      const beto = await signedIn(accounts);
      const { sessionToken } = ana.session;
      expect(refusal(await signIn(accounts, beto.passkey, { sessionToken }))).toEqual(
        SIGN_IN_REFUSED,
      );
      expect(await isLive(accounts, sessionToken)).toBe(true);
    });

    it('of a stranger’s making is none', async () => {
      for (const sessionToken of ['x', `fiado_session_${'A'.repeat(43)}`]) {
        expect(await isLive(accounts, sessionToken)).toBe(false);
      }
      const wrong = await signInStep(accounts, 'token', { sessionToken: 'x'.repeat(101) });
      expect(wrong.status).toBe(400);
    });

    it('is seen and ended by its own person only', async () => {
      const ana = await signedIn(accounts, 'viewer');
      const beto = await signedIn(accounts, 'viewer');
      const asAna = await callerOf(accounts, ana.session.sessionToken);
      const asBeto = await callerOf(accounts, beto.session.sessionToken);
      const mine = await accounts.call(asAna, 'GET', '/v1/admin/my/sessions');
      expect(mine.body.sessions).toHaveLength(1);
      const path = `/v1/admin/my/sessions/${mine.body.sessions[0].sessionId}`;

      for (const stranger of [asBeto, ops()]) {
        expect(refusal(await accounts.call(stranger, 'DELETE', path))).toEqual([
          404,
          'STAFF_SESSION_NOT_FOUND',
        ]);
      }
      expect((await accounts.call(asAna, 'DELETE', path)).status).toBe(204);
      expect(await isLive(accounts, ana.session.sessionToken)).toBe(false);
      const keys = await accounts.call(ops(), 'GET', '/v1/admin/my/sessions');
      expect(keys.body).toEqual({ sessions: [], nextCursor: null });
    });
  });

  it('a person’s credential cannot be exchanged for one that outlives the session', async () => {
    const { session } = await signedIn(accounts);
    const caller = await callerOf(accounts, session.sessionToken);
    expect((await accounts.call(caller, 'POST', '/v1/auth/token')).status).toBe(401);
  });
});
