import { randomUUID } from 'node:crypto';
import {
  startIdentityProvider,
  type IdentityProvider,
} from '../../../test/e2e/support/identity-provider';
import type { Answer } from '@fiado/chassis/testing/call';
import { ops, staffMember } from '@fiado/chassis/testing/callers';
import type { Caller, OpsScope } from '@fiado/contracts/caller';
import { CHANGE_JOBS } from '@fiado/contracts/jobs/changes';
import { createWholesaler, startAccounts, type Accounts } from './support/accounts';
import {
  approveChange,
  CHANGE_REQUESTS,
  newStore,
  person,
  updateStore,
} from './support/change-requests';
import { SoftPasskey } from './support/soft-passkey';
import { enrol, isLive, refusal, signIn, signInStep, tokenIn } from './support/staff';

const STAFF = '/v1/admin/staff';
const NOT_TWO = 'SECOND_PERSON_REQUIRED';

let accounts: Accounts;
let provider: IdentityProvider;
let wholesalerId: string;
beforeAll(async () => {
  provider = await startIdentityProvider();
  accounts = await startAccounts({ config: provider.env });
  ({ wholesalerId } = await createWholesaler(accounts));
});
afterAll(async () => {
  await accounts.stop();
  await provider.stop();
});
afterEach(() => set({ FOUR_EYES: 'staff', FIADO_MODE: 'sandbox' }));

const ana = person('admin');
const bruno = person('admin');

const set = (values: object): unknown => Object.assign(accounts.context.config, values);
const newEmail = (): string => `carla-${randomUUID()}@lender.example`;
const inviteAs = (by: Caller, email = newEmail(), role = 'approver'): Promise<Answer> =>
  accounts.call(by, 'POST', STAFF, { body: { email, name: 'Ana Torres', role } });
const collect = (id: string, by: Caller): Promise<Answer> =>
  accounts.call(by, 'POST', `${CHANGE_REQUESTS}/${id}/collect`);
const approve = (id: string, by: Caller): Promise<Answer> => approveChange(accounts, id, by);
const roots = async () => (await accounts.call(ops('viewer'), 'GET', `${STAFF}/roots`)).body;

async function requested(answer: Promise<Answer>): Promise<string> {
  const { status, body } = await answer;
  expect(status).toBe(202);
  return body.changeRequestId;
}

/** Somebody for whom `asks` wanted a link that `approves` collected; who comes in by it. */
async function admitted(
  asks: Caller,
  approves: Caller,
  { email = newEmail(), role = 'approver' }: { email?: string; role?: OpsScope } = {},
): Promise<Caller> {
  const id = await requested(inviteAs(asks, email, role));
  expect((await approve(id, approves)).status).toBe(200);
  return cameIn(await collect(id, approves), role);
}

/** Who comes in by the link of an answer. */
async function cameIn(answer: Answer, role: OpsScope): Promise<Caller> {
  expect((await enrol(accounts, tokenIn(answer), new SoftPasskey())).status).toBe(200);
  return staffMember(role, new Date(), answer.body.staffId);
}

/** A key of ops that `asks` collected. */
async function keyOf(asks: Caller, approves: Caller): Promise<Caller> {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const body = { name: 'ERP', scope: 'admin', expiresAt };
  const id = await requested(accounts.call(asks, 'POST', '/v1/admin/ops-keys', { body }));
  expect((await approve(id, approves)).status).toBe(200);
  return ops('admin', (await collect(id, asks)).body.apiKeyId);
}

/** The code with which the decision on what the first asks for is refused; undefined: it is not. */
async function decision(asks?: Caller, approves?: Caller): Promise<string | undefined> {
  if (asks === undefined || approves === undefined) throw new Error('Two are needed');
  const store = await newStore(accounts, wholesalerId);
  set({ FOUR_EYES: 'all' });
  const id = await requested(updateStore(accounts, asks, store, { creditLimit: 9000 }));
  set({ FOUR_EYES: 'staff' });
  return (await approve(id, approves)).body.errorCode;
}

/** As an earlier release left them: Ana, whom she let in, somebody else, and a key. */
async function insertOfBefore(): Promise<Record<'ana' | 'puppet' | 'luis' | 'key', Caller>> {
  const [ana = '', puppet = '', luis = '', key = ''] = Array.from({ length: 4 }, () =>
    randomUUID(),
  );
  await accounts.rows(
    `WITH people AS (
       INSERT INTO staff (id, email, name, role, admitted_by)
       SELECT id, id::text || '@lender.example', 'Ana Torres', 'admin', by
         FROM (VALUES ($1::uuid, NULL), ($2, $1::text), ($3, NULL)) row (id, by)
     )
     INSERT INTO ops_keys (id, name, scope, key_hash, expires_at)
     VALUES ($4, 'ERP', 'admin', uuid_send($4), now() + interval '1 day')`,
    [ana, puppet, luis, key],
  );
  await accounts.rows(
    `INSERT INTO staff_credentials (id, staff_id, public_key, counter)
     SELECT gen_random_uuid(), id, '', 0 FROM unnest($1::uuid[]) id`,
    [[ana, puppet, luis]],
  );
  const member = (id: string) => staffMember('admin', new Date(), id);
  return { ana: member(ana), puppet: member(puppet), luis: member(luis), key: ops('admin', key) };
}

// First: the other tests make roots.
it('people and keys of before keep the rule of before until two roots exist, and can get one', async () => {
  const before = await insertOfBefore();
  expect(await decision(before.ana, before.luis)).toBeUndefined();
  expect(await decision(before.key, before.luis)).toBeUndefined();
  expect(await decision(before.ana, before.puppet)).toBe(NOT_TWO);
  expect((await roots()).warning).toBe('too-few-roots');

  set({ FIADO_MODE: 'production', FOUR_EYES: 'all' });
  await requested(inviteAs(ops()));
  set({ FOUR_EYES: 'staff' });
  await requested(inviteAs(before.key));
  for (const { id } of [before.ana, before.luis]) {
    await cameIn(await inviteAs(ops(), `${id}@lender.example`, 'admin'), 'admin');
  }
  await requested(inviteAs(ops()));
  expect(await decision(before.ana, before.luis)).toBeUndefined();
  expect(await decision(before.puppet, before.luis)).toBe(NOT_TWO);
  expect(await decision(before.luis, before.puppet)).toBe(NOT_TWO);
  expect(await decision(before.key, before.luis)).toBe(NOT_TWO);
  const { members, warning } = await roots();
  expect(warning).toBe('without-root');
  const withoutRoot = members.filter(({ rootId }: { rootId: string | null }) => rootId === null);
  expect(new Set(withoutRoot.map(({ id }: { id: string }) => id))).toEqual(
    new Set([before.puppet.id, before.key.id]),
  );

  await admitted(before.ana, before.luis, {
    email: `${before.puppet.id}@lender.example`,
    role: 'admin',
  });
  expect(await decision(before.puppet, bruno)).toBeUndefined();
  expect(await decision(before.ana, before.puppet)).toBeUndefined();
});

it('what a wholesaler asked for is not decided by who collected a key of it, until days after its end', async () => {
  const made = await accounts.call(ana, 'POST', '/v1/admin/wholesalers', { body: { name: 'Sur' } });
  const { wholesalerId: owner, apiKeyId: first } = made.body;
  const keys = `/v1/admin/wholesalers/${owner}/api-keys`;
  const id = await requested(accounts.call(bruno, 'POST', keys, { body: {} }));
  expect((await approve(id, ana)).status).toBe(200);
  const { apiKeyId: second } = (await collect(id, bruno)).body;
  const creditNote = async (by: Caller) => {
    const changeRequestId = randomUUID();
    await accounts.handle(
      CHANGE_JOBS.settlement.requested,
      { id: changeRequestId, version: 1 },
      {
        changeRequestId,
        kind: 'credit-note.give',
        targetId: randomUUID(),
        payload: { wholesalerId: owner, amountCents: 4_200, reason: 'damaged' },
        before: {},
        requestedBy: owner,
      },
    );
    return (await approve(changeRequestId, by)).body.errorCode;
  };
  expect([await creditNote(ana), await creditNote(bruno)]).toEqual([NOT_TWO, NOT_TWO]);
  expect(await creditNote(person())).toBeUndefined();
  for (const key of [first, second]) {
    await accounts.call(ops(), 'DELETE', `/v1/admin/api-keys/${key}`);
  }
  expect(await creditNote(ana)).toBe(NOT_TWO);
  await accounts.rows(
    `UPDATE api_keys SET revoked_at = now() - interval '5 days' WHERE wholesaler_id = $1`,
    [owner],
  );
  expect([await creditNote(ana), await creditNote(bruno)]).toEqual([undefined, undefined]);
});

it('the key of the host does not make two people of an approver by asking for them', async () => {
  set({ FIADO_MODE: 'production' });
  const [one, other] = [await admitted(ops(), bruno), await admitted(ops(), bruno)];
  expect(await decision(one, other)).toBe(NOT_TWO);
  expect(await decision(one, ana)).toBeUndefined();
});

it('whom the identity provider proves is a root, and loses the passkey of who held the link', async () => {
  const email = newEmail();
  const before = await insertOfBefore();
  set({ FOUR_EYES: 'off' });
  const invited = await inviteAs(before.ana, email);
  set({ FOUR_EYES: 'staff' });
  const passkey = new SoftPasskey();
  const { sessionToken } = (await enrol(accounts, tokenIn(invited), passkey)).body;
  const { staffId } = invited.body;
  const rootOf = async () =>
    (await roots()).members.find(({ id }: { id: string }) => id === staffId).rootId;
  expect(await rootOf()).toBeNull();

  provider.person = { sub: email, email, email_verified: true };
  const { url, loginToken } = (await signInStep(accounts, 'identity-provider', { again: false }))
    .body;
  const back = await fetch(url, { redirect: 'manual' });
  const { search } = new URL(back.headers.get('location') ?? '');
  const signedIn = await signInStep(accounts, 'identity-provider-return', {
    loginToken,
    query: search,
  });
  expect(signedIn.status).toBe(200);
  expect(await rootOf()).toBe(staffId);
  expect(await isLive(accounts, signedIn.body.sessionToken)).toBe(true);
  expect(await isLive(accounts, sessionToken)).toBe(false);
  expect(refusal(await signIn(accounts, passkey))).toEqual([422, 'SIGN_IN_NOT_VALID']);
});

describe('one human is one person, who', () => {
  it('asked for two people whose links somebody else handed over: they are two', async () => {
    const [one, other] = [await admitted(ana, bruno), await admitted(ana, bruno)];
    expect(await decision(one, other)).toBeUndefined();
    expect(await decision(ana, one)).toBeUndefined();
  });

  it('held the link of another person, also of an earlier one', async () => {
    const email = newEmail();
    const puppet = await admitted(ana, bruno, { email });
    await admitted(person('admin'), person('admin'), { email });
    expect(await decision(bruno, puppet)).toBe(NOT_TWO);
    expect(await decision(puppet, bruno)).toBe(NOT_TWO);
  });

  it('has a key, and the people whom that key invites', async () => {
    const key = await keyOf(ana, bruno);
    expect(await decision(key, ana)).toBe(NOT_TWO);
    expect(await decision(key, bruno)).toBeUndefined();

    const id = await requested(inviteAs(key, newEmail()));
    expect((await approve(id, ana)).body.errorCode).toBe(NOT_TWO);
  });

  it('has the keys of a key', async () => {
    const key = await keyOf(ana, bruno);
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const body = { name: 'ERP', scope: 'admin', expiresAt };
    const issued = await accounts.call(key, 'POST', '/v1/admin/ops-keys', { body });
    expect(await decision(ops('admin', issued.body.opsKeyId), ana)).toBe(NOT_TWO);
  });

  it('invited people while nobody was asked', async () => {
    set({ FOUR_EYES: 'off' });
    const invited = [await inviteAs(ana, newEmail()), await inviteAs(ana, newEmail())];
    set({ FOUR_EYES: 'staff' });
    const [one, other] = await Promise.all(invited.map((answer) => cameIn(answer, 'approver')));
    expect(await decision(one, other)).toBe(NOT_TWO);
    expect(await decision(one, ana)).toBe(NOT_TWO);
    expect(await decision(one, bruno)).toBeUndefined();
  });

  it('has another passkey: an invitation of somebody who is there changes no root', async () => {
    const email = newEmail();
    set({ FOUR_EYES: 'off' });
    const puppet = await cameIn(await inviteAs(ana, email), 'approver');
    set({ FOUR_EYES: 'staff' });
    await admitted(person('admin'), bruno, { email });
    expect(await decision(ana, puppet)).toBe(NOT_TWO);
    await expect(
      accounts.rows('UPDATE staff SET root_id = id WHERE id = $1', [puppet.id]),
    ).rejects.toThrow('never changes');
  });
});
