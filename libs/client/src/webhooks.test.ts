import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { unwrapWebhook } from './webhooks';

const NOW = 1_800_000_000;
const OLD_SECRET = `whsec_${Buffer.from('old secret of 24 bytes..').toString('base64')}`;
const SECRET = `whsec_${Buffer.from('new secret of 24 bytes..').toString('base64')}`;
const body = '{"id":"evt_1","type":"transaction.paid","data":{"wholesaler":"Peña"}}';

function v1(secret: string, text = body, timestamp = NOW): string {
  const key = Buffer.from(secret.slice(6), 'base64');
  return `v1,${createHmac('sha256', key).update(`evt_1.${timestamp}.${text}`).digest('base64')}`;
}

function headersWith(signature: string, timestamp: number | string = NOW) {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  };
}

const unwrap = (
  headers: Record<string, string>,
  secrets: string | string[] = SECRET,
  text = body,
) => unwrapWebhook(text, headers, secrets, { now: NOW * 1_000 });

it('a genuine webhook gives its event, from text or bytes, and any form of headers', () => {
  const headers = headersWith(v1(SECRET));

  expect(unwrap(headers)).toMatchObject({ type: 'transaction.paid' });
  const bytes = new TextEncoder().encode(body);
  const options = { now: NOW * 1_000 };
  expect(unwrapWebhook(bytes, new Headers(headers), SECRET, options)).toEqual(JSON.parse(body));
});

it('while a secret is replaced either signature fits, in any order', () => {
  const headers = headersWith(`v1a,AAAA ${v1(OLD_SECRET)} ${v1(SECRET)}`);

  for (const secrets of [SECRET, OLD_SECRET, [SECRET, OLD_SECRET], [OLD_SECRET, SECRET]]) {
    expect(unwrap(headers, secrets)).toMatchObject({ id: 'evt_1' });
  }
});

it.each(['whsec_', `whsec_${Buffer.alloc(23, 1).toString('base64')}`, 'whsec_%%%'])(
  'a secret that is cut off is refused, even with a signature by it: %s',
  (secret) => {
    expect(() => unwrap(headersWith(v1(secret)), secret)).toThrow('at least 24 bytes');
    expect(() => unwrap(headersWith(v1(secret)), [SECRET, secret])).toThrow('at least 24 bytes');
  },
);

it('v1a is verified with the public key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const whpk = `whpk_${Buffer.from(x, 'base64url').toString('base64')}`;
  const content = Buffer.from(`evt_1.${NOW}.${body}`);
  const v1a = `v1a,${sign(null, content, privateKey).toString('base64')}`;

  expect(unwrap(headersWith(`${v1(SECRET)} ${v1a}`), whpk)).toMatchObject({ id: 'evt_1' });
  expect(() => unwrap(headersWith(v1a.replace(/.{6}$/, 'AAAA==')), whpk)).toThrow('no signature');
});

it.each([
  ['another secret', headersWith(v1(OLD_SECRET)), body, 'wrong-signature'],
  ['a changed body', headersWith(v1(SECRET)), body.replace('paid', 'free'), 'wrong-signature'],
  [
    'a body printed again',
    headersWith(v1(SECRET)),
    JSON.stringify(JSON.parse(body), null, 1),
    'wrong-signature',
  ],
  ['a shorter signature', headersWith('v1,AAAA'), body, 'wrong-signature'],
  ['an old timestamp', headersWith(v1(SECRET, body, NOW - 301), NOW - 301), body, 'old-timestamp'],
  [
    'a future timestamp',
    headersWith(v1(SECRET, body, NOW + 301), NOW + 301),
    body,
    'old-timestamp',
  ],
  ['a timestamp that is no number', headersWith(v1(SECRET), 'NaN'), body, 'old-timestamp'],
  ['no signature', headersWith(''), body, 'missing-header'],
  ['a body that is no JSON', headersWith(v1(SECRET, 'hola')), 'hola', 'bad-body'],
])('%s is refused', (_, headers, text, problem) => {
  expect(() => unwrap(headers, SECRET, text)).toThrow(expect.objectContaining({ problem }));
});

it('a parsed body and a malformed secret are mistakes of the caller', () => {
  expect(() => unwrap(headersWith(v1(SECRET)), SECRET, {} as never)).toThrow('not parsed');
  expect(() => unwrap(headersWith(v1(SECRET)), 'secret')).toThrow('a secret begins with');
});
