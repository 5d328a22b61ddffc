import { randomUUID } from 'node:crypto';
import type { Caller } from '@fiado/contracts/caller';
import type { NewStaffSession, StaffToken } from '@fiado/contracts/staff-sign-in';
import { ops, service } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import type { Accounts } from './accounts';
import { SoftPasskey } from './soft-passkey';

const ANONYMOUS: Caller = { kind: 'anonymous', id: 'anonymous', name: 'anonymous', scopes: [] };

/** One step of a sign-in, as the gateway lets the console take it. */
export function signInStep(accounts: Accounts, step: string, body: object = {}): Promise<Answer> {
  return accounts.call(ANONYMOUS, 'POST', `/v1/sign-in/${step}`, { body });
}

export interface Invited {
  staffId: string;
  email: string;
  invitationToken: string;
}

/** Invites somebody whom no other test knows. */
export async function invite(
  accounts: Accounts,
  role = 'admin',
  by: Caller = ops(),
): Promise<Invited> {
  const email = `ana-${randomUUID()}@lender.example`;
  const body = { email, name: 'Ana Torres', role };
  const answer = await accounts.call(by, 'POST', '/v1/admin/staff', { body });
  expect(answer.status).toBe(201);
  return { staffId: answer.body.staffId, email, invitationToken: tokenIn(answer) };
}

/** The token in the link of an answer. */
export function tokenIn({ body }: Pick<Answer, 'body'>): string {
  return String(body.invitationLink).split('/').at(-1) ?? '';
}

/** Begins and ends an enrolment with that passkey. */
export async function enrol(
  accounts: Accounts,
  invitationToken: string,
  passkey: SoftPasskey,
): Promise<Answer> {
  const begun = await signInStep(accounts, 'passkey-creation', { invitationToken });
  if (begun.status !== 200) return begun;
  const response = passkey.create(begun.body.options);
  return signInStep(accounts, 'enrol', { invitationToken, response });
}

/** Begins and ends a sign-in with that passkey. */
export async function signIn(
  accounts: Accounts,
  passkey: SoftPasskey,
  more: object = {},
): Promise<Answer> {
  const begun = await signInStep(accounts, 'passkey-request');
  const response = passkey.get(begun.body.options);
  return signInStep(accounts, 'passkey', { response, ...more });
}

export interface SignedIn extends Invited {
  passkey: SoftPasskey;
  session: NewStaffSession;
}

/** A person with a passkey and a session. */
export async function signedIn(accounts: Accounts, role?: string): Promise<SignedIn> {
  const invited = await invite(accounts, role);
  const passkey = new SoftPasskey();
  const { status, body } = await enrol(accounts, invited.invitationToken, passkey);
  expect(status).toBe(200);
  return { ...invited, passkey, session: body };
}

/** Exchanges a session for a credential of the API. */
export async function tokenOf(accounts: Accounts, sessionToken: string): Promise<StaffToken> {
  const { status, body } = await signInStep(accounts, 'token', { sessionToken });
  expect(status).toBe(200);
  return body;
}

/** The answer of the gateway's check of a credential. */
export function checkCredential(accounts: Accounts, credential: string): Promise<Answer> {
  const path = '/internal/credentials/check';
  return accounts.call(service('gateway'), 'POST', path, { body: { credential } });
}

/** Status and code of a refused call. */
export function refusal({ status, body }: Answer): unknown[] {
  return [status, body.errorCode];
}

/** The caller that the services see of a session. */
export async function callerOf(accounts: Accounts, sessionToken: string): Promise<Caller> {
  const { accessToken } = await tokenOf(accounts, sessionToken);
  return (await checkCredential(accounts, accessToken)).body.caller;
}

/** Whether a session can still be exchanged for a credential of the API. */
export async function isLive(accounts: Accounts, sessionToken: string): Promise<boolean> {
  const { status } = await signInStep(accounts, 'token', { sessionToken });
  expect([200, 401]).toContain(status);
  return status === 200;
}

/** The audited actions on a person, oldest first. */
export function staffAudit(accounts: Accounts, staffId: string): Promise<object[]> {
  return accounts.rows(
    `SELECT actor_id, action FROM audit_log
      WHERE object_id = $1 AND action LIKE 'staff.%' ORDER BY occurred_at, id`,
    [staffId],
  );
}
