import { randomUUID } from 'node:crypto';
import { ops, service } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startAccounts } from './support/accounts';

const PATH = '/v1/admin/payment-providers';

const accounts = forAllTests(startAccounts);

function create(settings: object = {}): Promise<Answer> {
  return accounts.call(ops(), 'POST', PATH, {
    body: { name: `Pagos ${randomUUID()}`, ...settings },
  });
}

function update(paymentProviderId: string, settings: object): Promise<Answer> {
  return accounts.call(ops(), 'PUT', `${PATH}/${paymentProviderId}`, { body: settings });
}

function issueSecret(paymentProviderId: string): Promise<Answer> {
  return accounts.call(ops(), 'POST', `${PATH}/${paymentProviderId}/signing-secrets`);
}

/** What accounts returns for a key, in the order of the secrets. */
async function proofOf(credential: string): Promise<unknown> {
  const path = '/internal/credentials/check';
  const { body } = await accounts.call(service('gateway'), 'POST', path, { body: { credential } });
  return body.proof;
}

describe('payment providers', () => {
  it('need no proof besides their key unless ops requires one', async () => {
    const { body } = await create();
    expect(body).toMatchObject({
      timeZone: 'America/Mexico_City',
      allowedAddresses: [],
      signatureRequired: false,
      signingSecret: null,
    });
    const none = { allowedAddresses: [], signatureRequired: false, signingSecrets: [] };
    expect(await proofOf(body.apiKey)).toEqual(none);
  });

  it('get a signing secret with their key, which is stored sealed', async () => {
    const allowedAddresses = ['203.0.113.7', '2001:db8::/32'];
    const { body } = await create({ allowedAddresses, signatureRequired: true });
    expect(body.signingSecret).toMatch(/^fiado_sign_[\w-]{43}$/);
    const proof = {
      allowedAddresses,
      signatureRequired: true,
      signingSecrets: [body.signingSecret],
    };
    expect(await proofOf(body.apiKey)).toEqual(proof);

    const { body: token } = await accounts.call(
      { ...service('gateway'), kind: 'provider', id: body.paymentProviderId, keyId: body.apiKeyId },
      'POST',
      '/v1/auth/token',
    );
    expect(await proofOf(token.accessToken)).toEqual(proof);
    const [row] = await accounts.rows('SELECT p::text FROM payment_providers p WHERE id = $1', [
      body.paymentProviderId,
    ]);
    expect(row?.p).not.toContain(Buffer.from(body.signingSecret).toString('hex'));
  });

  it('replace their secret without a gap: the previous one is valid for a day, older ones end', async () => {
    const { body } = await create({ signatureRequired: true });
    const { paymentProviderId, apiKey, signingSecret: first } = body;
    const second = await issueSecret(paymentProviderId);
    expect(second.status).toBe(201);
    expect(await proofOf(apiKey)).toMatchObject({
      signingSecrets: [second.body.signingSecret, first],
    });

    await accounts.rows(
      `UPDATE payment_providers SET previous_secret_until = now() - interval '1 second'
        WHERE id = $1`,
      [paymentProviderId],
    );
    expect(await proofOf(apiKey)).toMatchObject({ signingSecrets: [second.body.signingSecret] });
    const third = await issueSecret(paymentProviderId);
    expect(await proofOf(apiKey)).toMatchObject({
      signingSecrets: [third.body.signingSecret, second.body.signingSecret],
    });
  });

  it('are changed by ops, who cannot require a signature before a secret exists', async () => {
    const { body } = await create();
    const { paymentProviderId, apiKey } = body;
    const early = await update(paymentProviderId, { signatureRequired: true });
    expect([early.status, early.body.message]).toEqual([
      400,
      ['signatureRequired needs a signing secret; issue one first'],
    ]);

    await issueSecret(paymentProviderId);
    const changed = await update(paymentProviderId, {
      signatureRequired: true,
      allowedAddresses: ['198.51.100.0/24'],
    });
    const settings = { signatureRequired: true, allowedAddresses: ['198.51.100.0/24'] };
    expect(changed).toMatchObject({ status: 200, body: { paymentProviderId, ...settings } });
    expect(await proofOf(apiKey)).toMatchObject(settings);

    const cleared = await update(paymentProviderId, { allowedAddresses: [] });
    expect(cleared.body).toMatchObject({ signatureRequired: true, allowedAddresses: [] });
    const actions = await accounts.rows(
      `SELECT action FROM audit_log WHERE object_id = $1 ORDER BY id`,
      [paymentProviderId],
    );
    expect(actions.map(({ action }) => action)).toEqual([
      'payment-provider.created',
      'payment-provider.signing-secret-issued',
      'payment-provider.changed',
      'payment-provider.changed',
    ]);
  });

  it.each([
    '203.0.113.7/33',
    '2001:db8::/65',
    '2001:db8::1',
    '203.0.113',
    '203.0.113.7/8/8',
    'fe80::%eth0/64',
    'example.com',
    '',
    7,
  ])('are not given the address %s', async (address) => {
    const { status, body } = await create({ allowedAddresses: [address] });
    expect([status, body.message]).toEqual([
      400,
      [
        'each value in allowedAddresses must be an IPv4 address or network, such as ' +
          '203.0.113.0/24, or an IPv6 network of at most /64',
      ],
    ]);
  });

  it('that do not exist are not found', async () => {
    for (const id of [randomUUID(), 'none']) {
      for (const answer of [await update(id, {}), await issueSecret(id)]) {
        expect([answer.status, answer.body.errorCode]).toEqual([404, 'PROVIDER_NOT_FOUND']);
      }
    }
  });
});
