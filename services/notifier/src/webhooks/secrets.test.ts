import { createPublicKey, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { newSecret, signatureHeader } from './secrets';

const body = '{"id":"evt_1","ñ":1.50}';
const signed = { id: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body };
const headersOf = (signature: string) => ({
  'webhook-id': signed.id,
  'webhook-timestamp': String(signed.timestamp),
  'webhook-signature': signature,
});

it('standardwebhooks verifies v1, with each of two secrets', () => {
  const secrets = [newSecret('v1'), newSecret('v1')];
  const header = signatureHeader([...secrets, newSecret('v1a')], signed);
  for (const { secret } of secrets) {
    expect(new Webhook(secret).verify(body, headersOf(header))).toEqual(JSON.parse(body));
  }
  expect(() => new Webhook(newSecret('v1').secret).verify(body, headersOf(header))).toThrow();
  expect(() =>
    new Webhook(secrets[0]?.secret ?? '').verify(`${body} `, headersOf(header)),
  ).toThrow();
});

it('v1a is an Ed25519 signature that the shown key verifies', () => {
  const { secret, publicKey, kind } = newSecret('v1a');
  const header = signatureHeader([{ kind, secret }], signed);
  expect(publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
  const x = Buffer.from(publicKey?.slice('whpk_'.length) ?? '', 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signature = Buffer.from(header.slice('v1a,'.length), 'base64');
  const content = Buffer.from(`${signed.id}.${signed.timestamp}.${body}`);
  expect(verify(null, content, key, signature)).toBe(true);
});
