import { service, wholesaler } from '@fiado/chassis/testing/callers';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { pagesRead } from '@fiado/chassis/testing/pages-read';
import type { Answer } from '@fiado/chassis/testing/call';
import { Client } from 'pg';
import {
  approve,
  createCustomer,
  type Accounts,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import {
  createVerification,
  documentOf,
  INFORMATION,
  picture,
  takeStep,
} from './support/onboarding';

const NOTICE = { noticeVersion: '2', noticeUrl: 'https://lender.example.com/privacidad' };
const IMAGES = ['DOCUMENT_IMAGE_FRONTAL', 'DOCUMENT_IMAGE_BACK', 'SELFIE_IMAGE', 'STORE_IMAGE'];
/** A link, its user and store, and the way to each in some indexes. */
const FEW_PAGES = 100;
const TOLD = { step: 'CORNER_STORE_INFORMATION', information: INFORMATION };

describe('an onboarding by the link of an identity check', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;
  let verificationId: string;
  let token: string;

  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
  });
  beforeEach(async () => {
    customer = await createCustomer(accounts, wholesalerId);
    verificationId = await createVerification(accounts, wholesalerId, customer);
    const { body } = await accounts.call(wholesaler(wholesalerId), 'POST', '/v1/link/kyc', {
      body: { userId: customer.userId, verificationId },
    });
    token = body.kycLink.split('/').at(-1);
  });
  afterAll(() => accounts.stop());

  const ask = (path: string, body: object): Promise<Answer> =>
    accounts.call(service('gateway'), 'POST', `/internal/kyc-links/${path}`, { body });
  const consent = () => ask('consent', { token, ...NOTICE });
  const state = async (noticeVersion = '2') => (await ask('open', { token, noticeVersion })).body;
  async function send(content: object): Promise<string> {
    const { status, body } = await ask('step', { token, noticeVersion: '2', content });
    return body.outcome ?? `${status} ${body.errorCode}`;
  }
  const sendImage = async (step = 'SELFIE_IMAGE') =>
    send({ step, document: await documentOf('jpeg') });
  const endLink = () =>
    accounts.rows('UPDATE kyc_links SET expires_at = now() WHERE verification_id = $1', [
      verificationId,
    ]);

  it('keeps the first consent to a version of the notice, and asks again for another one', async () => {
    expect(await state()).toMatchObject({ valid: true, consented: false });
    await inFlight(Array.from({ length: 4 }, () => consent));
    expect((await state()).consented).toBe(true);
    expect((await state('3')).consented).toBe(false);

    const kept = `SELECT user_id, notice_version, notice_url, purposes, channel,
                         given_at <= now() AS dated
                    FROM consents WHERE verification_id = $1`;
    expect(await accounts.rows(kept, [verificationId])).toEqual([
      {
        user_id: customer.userId,
        notice_version: '2',
        notice_url: NOTICE.noticeUrl,
        purposes: ['necessary'],
        channel: 'link',
        dated: true,
      },
    ]);
    const audited = 'SELECT action, details FROM audit_log WHERE object_id = $1';
    expect(await accounts.rows(audited, [customer.cornerStoreId])).toMatchObject([
      { action: 'onboarding.consented', details: { noticeVersion: '2' } },
    ]);
  });

  it('reads the consents of its user, however many others gave', async () => {
    const { context, ownerUrl } = accounts;
    const owner = new Client({
      connectionString: ownerUrl,
      options: '-c search_path=accounts -c session_replication_role=replica',
    });
    await owner.connect();
    await owner.query(
      `INSERT INTO consents (user_id, verification_id, notice_version, purposes, channel)
       SELECT gen_random_uuid(), gen_random_uuid(), '2', ARRAY['necessary'], 'link'
         FROM generate_series(1, 20000)`,
    );
    await owner.query('VACUUM (ANALYZE) consents');
    await owner.end();
    const pages = await pagesRead({ db: context.db, ownerUrl, schema: 'accounts' }, async () => {
      expect((await state()).consented).toBe(false);
    });
    expect(pages).toBeLessThan(FEW_PAGES);
  });

  it('takes no step before the consent', async () => {
    expect(await sendImage()).toBe('not-taken');
    expect(await send(TOLD)).toBe('not-taken');
    expect((await state()).missingSteps).toContain('SELFIE_IMAGE');
  });

  it('takes every step, and COMPLETED last, for the wholesaler of the link', async () => {
    await consent();
    expect(await send({ step: 'COMPLETED' })).toBe('not-taken');
    for (const step of IMAGES) expect([step, await sendImage(step)]).toEqual([step, 'recorded']);
    expect(await sendImage()).toBe('recorded');
    expect(await send(TOLD)).toBe('recorded');
    expect(await state()).toMatchObject({ status: 'pre-approved', missingSteps: ['COMPLETED'] });
    expect(await send({ step: 'COMPLETED' })).toBe('recorded');
    expect(await state()).toMatchObject({ status: 'in-manual-validation', missingSteps: [] });

    const counted = `SELECT step, count(*) FROM onboarding_documents
                      WHERE wholesaler_id = $1 AND verification_id = $2 GROUP BY step`;
    expect(await accounts.rows(counted, [wholesalerId, verificationId])).toHaveLength(4);
    const audited = `SELECT actor_id FROM audit_log
                      WHERE object_id = $1 AND details ? 'kycLinkId' AND action = $2`;
    const steps = await accounts.rows(audited, [customer.cornerStoreId, 'onboarding.step-taken']);
    expect(steps).toEqual(Array.from({ length: 7 }, () => ({ actor_id: wholesalerId })));
  });

  it('takes after COMPLETED only what is missing, and nothing of an approved store', async () => {
    await consent();
    await sendImage();
    const ids = { userId: customer.userId, verificationId };
    await takeStep(accounts, wholesalerId, ids, { body: { step: 'COMPLETED' } });
    expect(await sendImage()).toBe('not-taken');
    expect(await sendImage('STORE_IMAGE')).toBe('recorded');

    await approve(accounts, customer.cornerStoreId);
    expect(await send(TOLD)).toBe('not-taken');
  });

  it('takes nothing once the link has ended', async () => {
    await consent();
    await endLink();
    expect(await sendImage()).toBe('not-taken');
    expect((await consent()).status).toBe(200);
  });

  it.each([
    [
      'no image',
      { step: 'SELFIE_IMAGE', document: { fileExtension: 'jpg', base64Content: 'aG9sYQ==' } },
    ],
    ['another step', { step: 'OTHER' }],
    ['data that is not valid', { ...TOLD, information: { ...INFORMATION, localeOwner: 'X' } }],
  ])('refuses %s', async (_what, content) => {
    await consent();
    expect(await send(content)).toBe('refused');
  });

  it('refuses an image that is cut off, and counts the images of a step', async () => {
    await consent();
    const bytes = await picture('jpeg').toBuffer();
    const base64Content = bytes.subarray(0, bytes.length / 2).toString('base64');
    const document = { fileExtension: 'jpg', base64Content };
    expect(await send({ step: 'STORE_IMAGE', document })).toBe('refused');

    await sendImage();
    await accounts.rows(
      `INSERT INTO onboarding_documents
         (id, corner_store_id, wholesaler_id, verification_id, step, sha256, size_bytes, width, height, storage_key)
       SELECT gen_random_uuid(), corner_store_id, wholesaler_id, verification_id, step,
              n::text::bytea, size_bytes, width, height, 'no-file-' || n
         FROM onboarding_documents, generate_series(1, 19) n WHERE verification_id = $1`,
      [verificationId],
    );
    expect(await sendImage()).toBe('422 DOCUMENT_LIMIT_REACHED');
  });
});
