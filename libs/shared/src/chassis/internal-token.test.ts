import { InternalTokens, type Caller } from './internal-token';

const caller: Caller = { kind: 'wholesaler', id: 'w1', name: 'Abarrotes', scopes: [] };
const secret = 'a-secret-of-at-least-32-characters-x';

it('carries the caller to whoever shares the secret', () => {
  const token = new InternalTokens(secret).sign(caller);
  expect(new InternalTokens(secret).verify(token)).toEqual(caller);
  expect(new InternalTokens(`${secret}y`).verify(token)).toBeUndefined();
});

it.each(['', '.', 'x', 'e30.', 'e30.AAAA', 'null'])('refuses the token "%s"', (token) => {
  expect(new InternalTokens(secret).verify(token)).toBeUndefined();
});

it('refuses a payload that was changed under an old signature', () => {
  const tokens = new InternalTokens(secret);
  const [payload = '', signature] = tokens.sign(caller).split('.');
  const forged = Buffer.from(payload, 'base64url').toString().replace('w1', 'w2');
  const token = `${Buffer.from(forged).toString('base64url')}.${signature}`;
  expect(tokens.verify(token)).toBeUndefined();
});

it('is renewed before it ends and refused after', () => {
  let now = 0;
  const tokens = new InternalTokens(secret, () => now);
  const first = tokens.sign(caller);
  now = 30_000;
  expect(tokens.sign(caller)).toBe(first);
  now = 41_000;
  expect(tokens.sign(caller)).not.toBe(first);
  expect(tokens.verify(first)).toEqual(caller);
  now = 60_001;
  expect(tokens.verify(first)).toBeUndefined();
});

it('is another one for another key of the same caller', () => {
  const tokens = new InternalTokens(secret);
  const narrow: Caller = { ...caller, scopes: ['transactions:read'] };
  expect(tokens.verify(tokens.sign(caller))).toEqual(caller);
  expect(tokens.verify(tokens.sign(narrow))).toEqual(narrow);
});
