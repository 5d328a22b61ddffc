import { createHash } from 'node:crypto';
import { SignJWT } from 'jose';
import { staffMember } from '../testing/callers';
import { strangeKeys, testProcessKeys } from '../testing/process-keys';
import type { ProcessName } from '@fiado/contracts/process-names';
import { InternalTokens } from './internal-token';
import type { Caller } from '@fiado/contracts/caller';

const caller: Caller = { kind: 'wholesaler', id: 'w1', name: 'Abarrotes', scopes: [] };
const gateway = new InternalTokens(testProcessKeys('gateway'));
const payments = new InternalTokens(testProcessKeys('payments'));

/** Tokens that a stolen key of a process can sign. */
function forge(
  owner: ProcessName,
  { iss = owner as string, aud = 'payments', caller: claimed = caller as Caller | undefined },
): Promise<string> {
  const { privateKey, keyId } = testProcessKeys(owner);
  return new SignJWT(claimed === undefined ? {} : { caller: claimed })
    .setProtectedHeader({ alg: 'EdDSA', kid: keyId })
    .setIssuer(iss)
    .setAudience(aud)
    .setExpirationTime('1 minute')
    .sign(privateKey);
}

it('carries the caller that the gateway vouches for to one receiver', async () => {
  expect(await payments.verify(await gateway.sign('payments', caller))).toEqual(caller);
  expect(await payments.verify(await gateway.sign('accounts', caller))).toBeUndefined();
});

it('carries when a person signed in', async () => {
  const ana = staffMember('approver', new Date('2026-11-22T16:00:00Z'));
  expect(await payments.verify(await gateway.sign('payments', ana))).toEqual(ana);
});

it('names the process that speaks for itself', async () => {
  const accounts = new InternalTokens(testProcessKeys('accounts'));
  expect(await payments.verify(await accounts.sign('payments'))).toEqual({
    kind: 'service',
    id: 'accounts',
    name: 'accounts',
    scopes: [],
  });
});

describe('a stolen key', () => {
  it.each(['accounts', 'transactions', 'notifier'] as const)(
    'of %s makes nobody a wholesaler, ops or another process',
    async (owner) => {
      const ops: Caller = { kind: 'ops', id: 'ops', name: 'ops', scopes: [] };
      const other: Caller = { kind: 'service', id: 'payments', name: 'payments', scopes: [] };
      for (const token of [
        await forge(owner, {}),
        await forge(owner, { caller: ops }),
        await forge(owner, { caller: other }),
        await forge(owner, { iss: 'gateway' }),
        await forge(owner, { iss: 'gateway', caller: undefined }),
      ]) {
        expect(await payments.verify(token)).toBeUndefined();
      }
    },
  );

  it('of the gateway makes it no other process', async () => {
    const accounts: Caller = { kind: 'service', id: 'accounts', name: 'accounts', scopes: [] };
    expect(await payments.verify(await forge('gateway', { caller: accounts }))).toBeUndefined();
  });
});

it('refuses a key that is not among the public ones', async () => {
  const stranger = new InternalTokens(strangeKeys('gateway'));
  expect(await payments.verify(await stranger.sign('payments', caller))).toBeUndefined();
});

it.each(['', '.', 'x', 'e30.', 'e30.AAAA', 'e30.e30.', 'eyJhbGciOiJub25lIn0.e30.'])(
  'refuses the token "%s"',
  async (token) => {
    expect(await payments.verify(token)).toBeUndefined();
  },
);

it('refuses a payload that was changed under an old signature', async () => {
  const [header, payload = '', signature] = (await gateway.sign('payments', caller)).split('.');
  const forged = Buffer.from(payload, 'base64url').toString().replace('w1', 'w2');
  const token = `${header}.${Buffer.from(forged).toString('base64url')}.${signature}`;
  expect(await payments.verify(token)).toBeUndefined();
});

it('refuses a public key used as the secret of an HMAC', async () => {
  const { keyId, publicKeys } = testProcessKeys('gateway');
  const key = publicKeys.get(keyId)?.key.export({ format: 'der', type: 'spki' }) ?? '';
  const token = await new SignJWT({ caller })
    .setProtectedHeader({ alg: 'HS256', kid: keyId })
    .setIssuer('gateway')
    .setAudience('payments')
    .setExpirationTime('1 minute')
    .sign(createHash('sha256').update(key).digest());
  expect(await payments.verify(token)).toBeUndefined();
});

it('is renewed before it ends and refused after', async () => {
  let now = 0;
  const signer = new InternalTokens(testProcessKeys('gateway'), () => now);
  const receiver = new InternalTokens(testProcessKeys('payments'), () => now);
  const first = await signer.sign('payments', caller);
  now = 30_000;
  expect(await signer.sign('payments', caller)).toBe(first);
  now = 41_000;
  expect(await signer.sign('payments', caller)).not.toBe(first);
  expect(await receiver.verify(first)).toEqual(caller);
  now = 60_001;
  expect(await receiver.verify(first)).toBeUndefined();
});

it('is checked once and remembered for its life', async () => {
  const receiver = new InternalTokens(testProcessKeys('payments'));
  const token = await gateway.sign('payments', caller);
  const known = await receiver.verify(token);
  // The same object: a second check would have parsed the token again.
  expect(await receiver.verify(token)).toBe(known);
});

it('is another one for another key of the same caller', async () => {
  const narrow: Caller = { ...caller, scopes: ['transactions:read'] };
  expect(await payments.verify(await gateway.sign('payments', caller))).toEqual(caller);
  expect(await payments.verify(await gateway.sign('payments', narrow))).toEqual(narrow);
});
