import { createPublicKey } from 'node:crypto';
import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import {
  newSigner,
  startIdentityProvider,
  type IdentityProvider as StandIn,
} from '../../../test/e2e/support/identity-provider';
import { createIdentityProvider, type ProvenIdentity } from '../src/staff/identity-provider';
import type { AccountsConfig } from '../src/config';

let provider: StandIn;
let sign: StandIn['sign'];
beforeEach(async () => {
  provider = await startIdentityProvider();
  provider.person = { sub: 'ana', email: 'ana@lender.example', email_verified: true };
  ({ sign } = provider);
});
afterEach(() => provider.stop());

const clock = { now: () => new Date() };
const seconds = (): number => Math.floor(Date.now() / 1000);

/** Signs in, as often as the result is called. @param pauseMs between two reads for an unknown key */
function signInAt(pauseMs?: number): () => Promise<ProvenIdentity> {
  const config = { ...provider.env, CONSOLE_URL: 'http://localhost:3010', FIADO_MODE: 'sandbox' };
  const client = createIdentityProvider(config as unknown as AccountsConfig, clock, pauseMs);
  return async () => {
    const { url, ...begun } = (await client?.begin(3600)) ?? { url: '' };
    const { headers } = await fetch(url, { redirect: 'manual' });
    const { search } = new URL(headers.get('location') ?? '');
    return client?.finish(search, begun as never) as Promise<ProvenIdentity>;
  };
}

const REFUSED = { code: 'SIGN_IN_NOT_VALID' };

it('an ID token that the provider signed says who came', async () => {
  expect(await signInAt()()).toMatchObject({ sub: 'ana', email: 'ana@lender.example' });
});

it.each<[string, () => Promise<StandIn['sign']>]>([
  ['another key under the same kid', async () => (await newSigner('one')).sign],
  ['another key under an unknown kid', async () => (await newSigner('two')).sign],
  ['no signature', () => Promise.resolve((claims) => Promise.resolve(unsigned(claims)))],
  ['an HMAC whose key is the public key', () => Promise.resolve(signedWithPublicKey)],
  ['claims that were changed after it', () => Promise.resolve(changedAfterwards)],
])('an ID token with %s is refused', async (_what, forge) => {
  provider.sign = await forge();
  await expect(signInAt()()).rejects.toMatchObject(REFUSED);
});

it.each<[string, () => JWTPayload]>([
  ['another audience', () => ({ aud: 'another-client' })],
  ['another issuer', () => ({ iss: 'https://login.evil.example' })],
  ['another nonce', () => ({ nonce: 'another' })],
  ['an end that is past', () => ({ iat: seconds() - 900, exp: seconds() - 600 })],
  ['a sign-in that is ahead by more than a minute', () => ({ auth_time: seconds() + 75 })],
  ['no time of the sign-in', () => ({ auth_time: undefined })],
])('an ID token with %s is refused, although its signature is right', async (_what, forged) => {
  provider.forged = forged();
  await expect(signInAt()()).rejects.toMatchObject(REFUSED);
});

it('a sign-in that is ahead by less than a minute counts: clocks differ', async () => {
  provider.forged = { auth_time: seconds() + 45 };
  expect((await signInAt()()).sub).toBe('ana');
});

it('a new key of the provider counts at once when its kid is unknown', async () => {
  const signIn = signInAt(0);
  await signIn();
  const next = await newSigner('two');
  provider.keys = [next.key];
  provider.sign = next.sign;
  expect((await signIn()).sub).toBe('ana');
  // The key before it is withdrawn.
  provider.sign = sign;
  await expect(signIn()).rejects.toMatchObject(REFUSED);
});

it('a flood of unknown kids reads the keys once, and refuses nobody else', async () => {
  const signIn = signInAt();
  const { sign: forged } = await newSigner('unknown');
  provider.sign = forged;
  const refused = await Promise.allSettled(Array.from({ length: 10 }, () => signIn()));
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 'rejected'));
  expect(provider.keyReads).toBe(1);
  provider.sign = sign;
  expect((await signIn()).sub).toBe('ana');
  expect(provider.keyReads).toBe(1);
});

function unsigned(claims: JWTPayload): string {
  return new UnsecuredJWT(claims).encode();
}

function signedWithPublicKey(claims: JWTPayload): Promise<string> {
  const key = createPublicKey({ key: provider.keys[0] as never, format: 'jwk' });
  const pem = key.export({ type: 'spki', format: 'pem' });
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .sign(Buffer.from(pem));
}

async function changedAfterwards(claims: JWTPayload): Promise<string> {
  const [header, , signature] = (await sign(claims)).split('.');
  const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'eve' })).toString('base64url');
  return `${header}.${changed}.${signature}`;
}
