import { createHmac } from 'node:crypto';
import { provider } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { callerIn, startTestGateway } from './support/test-gateway';

const PROVIDER_KEY = 'provider-key';
const PATH = '/v1/customer-transaction/payment/deposit?paymentProviderName=STP';
const OLD = 'fiado_sign_old';
const NEW = 'fiado_sign_new';
const BODY = JSON.stringify({ valor: 10.5, nombre: 'Peña' });

const gateway = forAllTests(() => startTestGateway({ config: { TRUSTED_PROXY_HOPS: '1' } }));
beforeAll(() => {
  gateway.callers.set(PROVIDER_KEY, provider('STP'));
});
beforeEach(() => {
  // The gateway remembers a proof for 5 s.
  gateway.advance(10_000);
});

function nowSeconds(offset = 0): number {
  return Math.floor(Date.now() / 1000) + offset;
}

function v1(secret: string, time: number, body = BODY): string {
  return `v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}

async function post(headers: Record<string, string> = {}, body: string = BODY): Promise<string> {
  const { status, body: answer } = await gateway.call('POST', PATH, {
    key: PROVIDER_KEY,
    body,
    headers,
  });
  return status === 200 ? '200' : `${status} ${answer.errorCode}`;
}

describe('a provider that must sign', () => {
  beforeEach(() => {
    gateway.proofs.set(PROVIDER_KEY, {
      allowedAddresses: [],
      signatureRequired: true,
      signingSecrets: [NEW, OLD],
    });
  });

  it.each([
    ['the newest secret', (t: number) => `t=${t},${v1(NEW, t)}`],
    ['the secret before it', (t: number) => `t=${t},${v1(OLD, t)}`],
    ['one of two signatures', (t: number) => `t=${t}, ${v1('lost', t)}, ${v1(NEW, t)}`],
  ])('is believed with %s', async (_name, headerAt) => {
    const before = gateway.seenBy('payments').length;
    expect(await post({ 'fiado-signature': headerAt(nowSeconds()) })).toBe('200');
    expect(gateway.seenBy('payments')).toHaveLength(before + 1);
    expect(gateway.seenBy('payments').at(-1)?.body).toBe(BODY);
  });

  it.each([
    ['no signature', () => ({})],
    ['another secret', (t: number) => ({ 'fiado-signature': `t=${t},${v1('stolen', t)}` })],
    ['another body', (t: number) => ({ 'fiado-signature': `t=${t},${v1(NEW, t, '{"valor":1}')}` })],
    ['another time', (t: number) => ({ 'fiado-signature': `t=${t + 1},${v1(NEW, t)}` })],
    ['no time', (t: number) => ({ 'fiado-signature': v1(NEW, t) })],
    ['an old time', (t: number) => ({ 'fiado-signature': `t=${t - 400},${v1(NEW, t - 400)}` })],
    ['a time to come', (t: number) => ({ 'fiado-signature': `t=${t + 400},${v1(NEW, t + 400)}` })],
    [
      'half a signature',
      (t: number) => ({ 'fiado-signature': `t=${t},${v1(NEW, t).slice(0, 40)}` }),
    ],
    ['garbage', () => ({ 'fiado-signature': 't=,v1=,=,,t' })],
  ])('is refused with %s, and payments sees nothing', async (_name, headersAt) => {
    const before = gateway.seenBy('payments').length;
    expect(await post(headersAt(nowSeconds()))).toBe('401 SIGNATURE_NOT_VALID');
    expect(gateway.seenBy('payments')).toHaveLength(before);
  });

  it('is refused above 100 kB, even with a valid signature', async () => {
    const body = JSON.stringify({ texto: 'x'.repeat(110_000) });
    const time = nowSeconds();
    const header = { 'fiado-signature': `t=${time},${v1(NEW, time, body)}` };
    expect(await post(header, body)).toBe('413 PAYLOAD_TOO_LARGE');
  });
});

describe('a look-up of a provider that must sign', () => {
  beforeEach(() => {
    gateway.proofs.set(PROVIDER_KEY, {
      allowedAddresses: [],
      signatureRequired: true,
      signingSecrets: [NEW],
    });
  });

  async function lookUp(headers: Record<string, string>): Promise<string> {
    const path = '/v1/customer-transaction/payment/reference/4829105736423';
    const { status, body } = await gateway.call('GET', path, { key: PROVIDER_KEY, headers });
    return status === 200 ? '200' : `${status} ${body.errorCode}`;
  }

  it('is believed with the signature of an empty body', async () => {
    const time = nowSeconds();
    expect(await lookUp({ 'fiado-signature': `t=${time},${v1(NEW, time, '')}` })).toBe('200');
  });

  it.each([
    ['no signature', () => ({})],
    ['another secret', (t: number) => ({ 'fiado-signature': `t=${t},${v1(OLD, t, '')}` })],
    ['the signature of a body', (t: number) => ({ 'fiado-signature': `t=${t},${v1(NEW, t)}` })],
    ['an old time', (t: number) => ({ 'fiado-signature': `t=${t - 400},${v1(NEW, t - 400, '')}` })],
  ])('is refused with %s, and payments sees nothing', async (_name, headersAt) => {
    const before = gateway.seenBy('payments').length;
    expect(await lookUp(headersAt(nowSeconds()))).toBe('401 SIGNATURE_NOT_VALID');
    expect(gateway.seenBy('payments')).toHaveLength(before);
  });
});

it('an optional signature must be valid if it is sent', async () => {
  const time = nowSeconds();
  gateway.proofs.set(PROVIDER_KEY, {
    allowedAddresses: [],
    signatureRequired: false,
    signingSecrets: [NEW],
  });
  const hasSigned = async () =>
    (await callerIn(gateway.seenBy('payments').at(-1)?.headers ?? {}, 'payments'))?.hasSigned;
  expect(await post()).toBe('200');
  expect(await hasSigned()).toBeUndefined();
  expect(await post({ 'fiado-signature': `t=${time},${v1(NEW, time)}` })).toBe('200');
  expect(await hasSigned()).toBe(true);
  expect(await post({ 'fiado-signature': `t=${time},${v1(OLD, time)}` })).toBe(
    '401 SIGNATURE_NOT_VALID',
  );
});

it.each([
  ['203.0.113.7', '200'],
  ['198.51.100.255', '200'],
  ['::ffff:198.51.100.1', '200'],
  ['2001:db8:1::5', '200'],
  ['203.0.113.8', '403 FORBIDDEN'],
  ['198.51.101.1', '403 FORBIDDEN'],
  ['2001:db8:2::5', '403 FORBIDDEN'],
  ['nowhere', '403 FORBIDDEN'],
])('a provider with a list of addresses calls from %s: %s', async (address, outcome) => {
  gateway.proofs.set(PROVIDER_KEY, {
    allowedAddresses: ['203.0.113.7', '198.51.100.0/24', '2001:db8:1::/48'],
    signatureRequired: false,
    signingSecrets: [],
  });
  expect(await post({ 'x-forwarded-for': address })).toBe(outcome);
});
