import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { ops } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import {
  approve,
  importCustomers,
  createCustomer,
  createWholesaler,
  type Accounts,
  type Customer,
  startAccountsWithWholesaler,
  publishedSnapshots,
} from './support/accounts';
import {
  createVerification,
  documentOf,
  INFORMATION,
  RECOMMENDED_SIZE,
  takeStep,
} from './support/onboarding';

describe('recordOnboardingStep', () => {
  let accounts: Accounts;
  let folder: string;
  let wholesalerId: string;
  let customer: Customer;
  let verificationId: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fiado-onboarding-'));
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler({
      config: { DATA_DIR: folder },
    }));
  });
  beforeEach(async () => {
    customer = await createCustomer(accounts, wholesalerId);
    verificationId = await createVerification(accounts, wholesalerId, customer);
  });
  afterAll(async () => {
    await accounts.stop();
    await rm(folder, { recursive: true });
  });

  function take(body: unknown, headers?: Record<string, string>): Promise<Answer> {
    const ids = { userId: customer.userId, verificationId };
    return takeStep(accounts, wholesalerId, ids, { body, ...(headers && { headers }) });
  }

  async function seenByOps(): Promise<Record<string, unknown>> {
    const path = `/v1/admin/corner-stores/${customer.cornerStoreId}`;
    return (await accounts.call(ops(), 'PUT', path, { body: {} })).body;
  }

  async function publishedStatuses(): Promise<string[]> {
    const snapshots = await publishedSnapshots(accounts, customer.cornerStoreId);
    return snapshots.map(({ status }) => status);
  }

  it('leads from images and information to manual validation', async () => {
    const front = await take({ document: await documentOf('jpeg', RECOMMENDED_SIZE) });
    expect(front.status).toBe(200);
    expect(front.body).toEqual({
      success: true,
      step: 'DOCUMENT_IMAGE_FRONTAL',
      completedSteps: ['DOCUMENT_IMAGE_FRONTAL'],
      missingSteps: [
        'DOCUMENT_IMAGE_BACK',
        'SELFIE_IMAGE',
        'STORE_IMAGE',
        'CORNER_STORE_INFORMATION',
        'COMPLETED',
      ],
      warnings: [],
    });
    for (const step of ['STORE_IMAGE', 'DOCUMENT_IMAGE_BACK', 'SELFIE_IMAGE']) {
      expect((await take({ step, document: await documentOf('png') })).status).toBe(200);
    }
    const step = 'CORNER_STORE_INFORMATION';
    // As a keyboard that writes accents as marks of their own.
    const typed = {
      ...INFORMATION,
      cornerStoreType: INFORMATION.cornerStoreType.normalize('NFD'),
      ownershipStatus: INFORMATION.ownershipStatus.normalize('NFD'),
    };
    expect((await take({ step, information: typed })).body.missingSteps).toEqual(['COMPLETED']);
    expect((await take({ step: 'COMPLETED' })).body).toMatchObject({
      step: 'COMPLETED',
      missingSteps: ['PHONE_VERIFICATION'],
      warnings: [],
    });
    expect(await publishedStatuses()).toEqual(['pre-approved', 'in-manual-validation']);
    const { cornerStoreName, ...information } = INFORMATION;
    expect(await seenByOps()).toMatchObject({
      status: 'in-manual-validation',
      cornerStoreName,
      information,
      missingSteps: [],
    });
  });

  it('is complete when the user sends COMPLETED, and ops sees missing steps', async () => {
    expect((await take({ step: 'COMPLETED', other: 1 })).body.missingSteps).toHaveLength(6);
    expect(await seenByOps()).toMatchObject({
      status: 'in-manual-validation',
      completedSteps: ['COMPLETED'],
      missingSteps: expect.arrayContaining(['SELFIE_IMAGE', 'CORNER_STORE_INFORMATION']),
      cornerStoreName: null,
      information: null,
    });
    expect((await take({ step: 'COMPLETED' })).status).toBe(200);
    expect(await publishedStatuses()).toEqual(['pre-approved', 'in-manual-validation']);
  });

  it('leaves an approved store approved, and must be repeated after a rejection', async () => {
    await approve(accounts, customer.cornerStoreId);
    const repeated = await take({ step: 'COMPLETED' });
    expect(repeated.status).toBe(200);
    // No code is sent to an approved store any more.
    expect(repeated.body.missingSteps).not.toContain('PHONE_VERIFICATION');
    expect((await seenByOps()).status).toBe('approved');

    await accounts.call(ops(), 'POST', `/v1/admin/corner-stores/${customer.cornerStoreId}/reject`, {
      body: { reason: 'The photos are too dark' },
    });
    expect(await seenByOps()).toMatchObject({ status: 'pre-approved', completedSteps: [] });
    await take({ step: 'COMPLETED' });
    expect((await seenByOps()).status).toBe('in-manual-validation');
  });

  it('a new name replaces only the old name, and is stored sealed', async () => {
    await take({ step: 'CORNER_STORE_INFORMATION', information: INFORMATION });
    const renamed = await take({
      step: 'CORNER_STORE_NAME_UPDATE',
      information: { cornerStoreName: 'La Nueva Güera' },
    });
    expect(renamed.body.completedSteps).toEqual([
      'CORNER_STORE_INFORMATION',
      'CORNER_STORE_NAME_UPDATE',
    ]);
    expect(await seenByOps()).toMatchObject({
      cornerStoreName: 'La Nueva Güera',
      information: { cornerStoreAddress: INFORMATION.cornerStoreAddress },
    });
    const dump = JSON.stringify(await accounts.rows('SELECT s::text FROM corner_stores s'));
    expect(dump).not.toMatch(/Güera|Juárez/);
  });

  it('of eight parallel COMPLETED, one is published', async () => {
    const answers = await inFlight(
      Array.from({ length: 8 }, () => () => take({ step: 'COMPLETED' })),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(await publishedStatuses()).toEqual(['pre-approved', 'in-manual-validation']);
  });

  it('parallel steps are all taken', async () => {
    const document = await documentOf('jpeg');
    const steps = ['DOCUMENT_IMAGE_FRONTAL', 'DOCUMENT_IMAGE_BACK', 'SELFIE_IMAGE', 'STORE_IMAGE'];
    await Promise.all(steps.map((step) => take({ step, document })));
    expect((await seenByOps()).completedSteps).toEqual(steps);
  });

  it('answers the same for an Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const body = { step: 'SELFIE_IMAGE', document: await documentOf('jpeg') };
    const first = await take(body, key);
    await take({ step: 'COMPLETED' });
    const again = await take(body, key);
    expect(first.body.warnings).not.toEqual([]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it("an unknown user or verification, and another wholesaler's, are not found", async () => {
    const other = (await createWholesaler(accounts)).wholesalerId;
    const ids = { userId: customer.userId, verificationId };
    const body = { step: 'COMPLETED' };
    const codeOf = async (by: string, over: object): Promise<unknown> =>
      (await takeStep(accounts, by, { ...ids, ...over }, { body })).body.errorCode;

    expect(await codeOf(other, {})).toBe('USER_NOT_FOUND');
    expect(await codeOf(wholesalerId, { userId: randomUUID() })).toBe('USER_NOT_FOUND');
    expect(await codeOf(wholesalerId, { userId: 'x' })).toBe('USER_NOT_FOUND');
    expect(await codeOf(wholesalerId, { verificationId: 'x' })).toBe('VERIFICATION_NOT_FOUND');
    // The same customer, but the verification is of the wholesaler that began it.
    await importCustomers(accounts, other, [pick(customer)]);
    expect(await codeOf(other, {})).toBe('VERIFICATION_NOT_FOUND');
    expect(await publishedStatuses()).not.toContain('in-manual-validation');
  });

  it('refuses what is not valid, and records no step', async () => {
    const step = 'CORNER_STORE_INFORMATION';
    const wrong: Array<[body: object, message: RegExp]> = [
      [{ step: 'SELFIE' }, /^step must be one of/],
      [{ step: null }, /^document is required$/],
      [{}, /^document /],
      [{ step: 'STORE_IMAGE', document: [] }, /^document must be an object/],
      [{ document: { fileExtension: 'JPG', base64Content: 'AAAA' } }, /fileExtension must be one/],
      [{ document: { fileExtension: 'jpg' } }, /^document\.base64Content is required$/],
      [
        { step: 'CORNER_STORE_NAME_UPDATE', information: { cornerStoreName: '' } },
        /cornerStoreName/,
      ],
      [
        { step, information: { ...INFORMATION, ownershipStatus: 'DUENO' } },
        /^information\.ownershipStatus must be one of/,
      ],
      [
        { step, information: { ...INFORMATION, businessLifetime: 'ONE_TO_TWO_YEARS' } },
        /^information\.businessLifetime must be one of/,
      ],
    ];
    for (const [body, message] of wrong) {
      const answer = await take(body);
      expect([body, answer.status, answer.body]).toEqual([
        body,
        400,
        expect.objectContaining({
          error: 'Bad Request',
          message: expect.arrayContaining([expect.stringMatching(message)]),
        }),
      ]);
    }
    expect((await seenByOps()).completedSteps).toEqual([]);
  });
});

function pick({ externalId, firstName, lastNames, phoneNumber }: Customer): object {
  return { externalId, firstName, lastNames, phoneNumber, creditLimit: 1, interestRate: 0 };
}
