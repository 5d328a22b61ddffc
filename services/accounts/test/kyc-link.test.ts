import { createHash, randomUUID } from 'node:crypto';
import { service, wholesaler } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import {
  createCustomer,
  createWholesaler,
  type Accounts,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import { createVerification, takeStep } from './support/onboarding';

const LINK = /^https:\/\/fiado\.example\/kyc\/([\w-]{43})$/;

describe('createKycLink', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;
  let verificationId: string;

  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler({
      config: { PUBLIC_URL: 'https://fiado.example/' },
    }));
  });
  beforeEach(async () => {
    customer = await createCustomer(accounts, wholesalerId);
    verificationId = await createVerification(accounts, wholesalerId, customer);
  });
  afterAll(() => accounts.stop());

  function create(over: object = {}, by = wholesalerId, headers = {}): Promise<Answer> {
    return accounts.call(wholesaler(by), 'POST', '/v1/link/kyc', {
      body: { userId: customer.userId, verificationId, ...over },
      headers,
    });
  }

  function open(token: unknown): Promise<Answer> {
    return accounts.call(service('gateway'), 'POST', '/internal/kyc-links/open', {
      body: { token },
    });
  }

  async function newToken(): Promise<string> {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['kycLink']);
    return LINK.exec(body.kycLink)?.[1] ?? '';
  }

  it('opens for a day, with the first name and what is missing', async () => {
    const token = await newToken();
    expect((await open(token)).body).toEqual({
      valid: true,
      wholesalerId,
      consented: false,
      firstName: customer.firstName,
      status: 'pre-approved',
      missingSteps: expect.arrayContaining(['DOCUMENT_IMAGE_FRONTAL', 'COMPLETED']),
    });
    const ids = { userId: customer.userId, verificationId };
    await takeStep(accounts, wholesalerId, ids, { body: { step: 'COMPLETED' } });
    expect((await open(token)).body.status).toBe('in-manual-validation');

    const hash = createHash('sha256').update(token).digest();
    const [row] = await accounts.rows(
      `UPDATE kyc_links SET expires_at = now() WHERE token_hash = $1
       RETURNING expires_at, created_at`,
      [hash],
    );
    expect(row).toBeDefined();
    expect((await open(token)).body).toEqual({ valid: false });
  });

  it('lives 24 hours, and a new one sweeps those that are over', async () => {
    await newToken();
    const life = `SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM kyc_links
                   WHERE verification_id = $1`;
    expect(await accounts.rows(life, [verificationId])).toEqual([{ seconds: 86_400 }]);
    await accounts.rows('UPDATE kyc_links SET expires_at = now()');
    await newToken();
    expect(await accounts.rows(life, [verificationId])).toHaveLength(1);
  });

  it('is repeated for an Idempotency-Key, and its token is not stored', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => create({}, wholesalerId, key)),
    );
    answers.push(await create({}, wholesalerId, key));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.at(-1)?.headers.get('idempotent-replayed')).toBe('true');
    const token = LINK.exec(answers[0]?.body.kycLink)?.[1] ?? '';
    expect((await open(token)).body.valid).toBe(true);
    const kept = await accounts.rows(
      'SELECT k::text FROM idempotency_keys k UNION ALL SELECT l::text FROM kyc_links l',
    );
    expect(JSON.stringify(kept)).not.toContain(token);
  });

  it('of an unknown token is not valid', async () => {
    for (const token of ['', 'x', 'A'.repeat(43)]) {
      expect((await open(token)).body).toEqual({ valid: false });
    }
    expect((await open(5)).status).toBe(400);
    const outside = await accounts.call(wholesaler(), 'POST', '/internal/kyc-links/open');
    expect(outside.status).toBe(403);
  });

  it("an unknown user or verification, and another wholesaler's, are not found", async () => {
    const other = (await createWholesaler(accounts)).wholesalerId;
    for (const [answer, code] of [
      [await create({ userId: randomUUID() }), 'USER_NOT_FOUND'],
      [await create({ userId: 'x' }), 'USER_NOT_FOUND'],
      [await create({}, other), 'USER_NOT_FOUND'],
      [await create({ verificationId: randomUUID() }), 'VERIFICATION_NOT_FOUND'],
      [await create({ verificationId: 'x' }), 'VERIFICATION_NOT_FOUND'],
    ] as const) {
      expect([answer.status, answer.body.errorCode]).toEqual([404, code]);
    }
    expect((await create({ userId: 5 })).body.message).toEqual(['userId must be a string']);
  });
});
