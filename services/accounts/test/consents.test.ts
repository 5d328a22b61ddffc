import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import {
  createCustomer,
  type Accounts,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';

const NOTICE = 'Aviso de privacidad, versión 3';
const ACCEPTED = '2026-09-21T10:04:05-06:00';

describe('consents to the privacy notice', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fiado-notice-'));
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;

  beforeAll(async () => {
    const PRIVACY_NOTICE_FILE = join(folder, 'aviso.txt');
    writeFileSync(PRIVACY_NOTICE_FILE, NOTICE);
    const config = { PRIVACY_VERSION: '3', PRIVACY_NOTICE_FILE };
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler({ config }));
  });
  beforeEach(async () => {
    customer = await createCustomer(accounts, wholesalerId);
  });
  afterAll(async () => {
    await accounts.stop();
    rmSync(folder, { recursive: true });
  });

  function verify(consent: unknown): Promise<Answer> {
    const path = `/v1/account/${customer.userId}/verification`;
    const { phoneNumber } = customer;
    const body = { firstName: 'Ana', lastNames: 'Ruiz', phoneNumber, consent };
    return accounts.call(wholesaler(wholesalerId), 'POST', path, { body });
  }
  async function shown(): Promise<object[]> {
    const { userId } = customer;
    const body = { userId, kind: 'access', channel: 'email', identityProof: 'official-id' };
    const path = '/v1/admin/privacy-requests';
    const { body: request } = await accounts.call(ops(), 'POST', path, { body });
    const details = await accounts.call(ops(), 'GET', `${path}/${request.privacyRequestId}`);
    return details.body.consents;
  }

  it('one that a wholesaler asked for is kept with the hash of the notice of its version', async () => {
    expect((await verify({ noticeVersion: '2', acceptedAt: '2026-08-01T00:00:00Z' })).status).toBe(
      201,
    );
    const purposes = ['necessary', 'voluntary'];
    expect((await verify({ noticeVersion: '3', acceptedAt: ACCEPTED, purposes })).status).toBe(201);
    const common = { noticeUrl: null, channel: 'api', withdrawnAt: null };
    expect(await shown()).toEqual([
      {
        ...common,
        noticeVersion: '3',
        noticeSha256: createHash('sha256').update(NOTICE).digest('hex'),
        purposes,
        givenAt: '2026-09-21T16:04:05.000Z',
      },
      {
        ...common,
        noticeVersion: '2',
        noticeSha256: null,
        purposes: ['necessary'],
        givenAt: '2026-08-01T00:00:00.000Z',
      },
    ]);
  });

  it.each([
    ['no object', 'yes'],
    ['a list', [{ noticeVersion: '3', acceptedAt: ACCEPTED }]],
    ['without a version', { acceptedAt: ACCEPTED }],
    ['of a time to come', { noticeVersion: '3', acceptedAt: '2100-01-01T00:00:00Z' }],
    ['of a time without an offset', { noticeVersion: '3', acceptedAt: '2026-09-21T10:04:05' }],
    ['to no purpose', { noticeVersion: '3', acceptedAt: ACCEPTED, purposes: [] }],
    ['to an unknown purpose', { noticeVersion: '3', acceptedAt: ACCEPTED, purposes: ['ads'] }],
  ])('one that is %s starts no verification', async (_what, consent) => {
    expect((await verify(consent)).status).toBe(400);
    expect(await shown()).toEqual([]);
  });

  it('nothing changes one but its withdrawal, and a process of 1.0.0 adds its own', async () => {
    await verify({ noticeVersion: '3', acceptedAt: ACCEPTED });
    const of = 'user_id = $1';
    const change = (text: string) => accounts.rows(text, [customer.userId]);
    await expect(change(`UPDATE consents SET notice_version = '9' WHERE ${of}`)).rejects.toThrow();
    await expect(change(`DELETE FROM consents WHERE ${of}`)).rejects.toThrow();
    await change(`UPDATE consents SET withdrawn_at = now() WHERE ${of}`);
    await change(
      `INSERT INTO privacy_consents (verification_id, notice_version, notice_url)
       SELECT id, '2', 'https://lender.example.com/aviso' FROM verifications WHERE ${of}`,
    );
    expect(await shown()).toMatchObject([
      { noticeVersion: '2', channel: 'link', withdrawnAt: null },
      { noticeVersion: '3', channel: 'api', withdrawnAt: expect.any(String) },
    ]);
  });
});
