import { randomUUID } from 'node:crypto';
import { IMAGE_STEPS } from '@fiado/contracts/onboarding';
import { ops } from '@fiado/chassis/testing/callers';
import { tokenHeader, type Answer } from '@fiado/chassis/testing/call';
import { createS3DocumentStore } from '@fiado/chassis/documents/s3-document-store';
import { s3PlaceOf, type S3Place } from '@fiado/chassis/documents/s3-place';
import { sweepDocuments } from '../src/documents/sweep-documents';
import {
  approve,
  createCustomer,
  startAccountsWithWholesaler,
  type Accounts,
  type Customer,
} from './support/accounts';
import { createVerification, documentOf, INFORMATION, takeStep } from './support/onboarding';
import { S3StandIn } from '@fiado/chassis/testing/s3-stand-in';

const HOUR_MS = 3_600_000;
const PREFIX = 'images/v1/';
const JPEG = Buffer.from('ffd8ff', 'hex');

describe('with UPLOADS_URL of an S3 store', () => {
  let store: S3StandIn;
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;
  let verificationId: string;

  beforeAll(async () => {
    store = await S3StandIn.start();
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler({ config: store.config }));
  });
  beforeEach(async () => {
    store.mode = 'work';
    customer = await createCustomer(accounts, wholesalerId);
    verificationId = await createVerification(accounts, wholesalerId, customer);
  });
  afterAll(async () => {
    await accounts.stop();
    await store.stop();
  });

  it('an onboarding keeps its images there, sealed, and ops reads them before the approval', async () => {
    const before = store.objects.size;
    for (const step of IMAGE_STEPS) {
      expect((await upload(step)).status).toBe(200);
    }
    const information = { step: 'CORNER_STORE_INFORMATION', information: INFORMATION };
    expect((await take(information)).status).toBe(200);
    expect((await take({ step: 'COMPLETED' })).body.missingSteps).toEqual(['PHONE_VERIFICATION']);

    expect(store.objects.size).toBe(before + IMAGE_STEPS.length);
    for (const [key, { content }] of store.objects) {
      expect(key.startsWith(PREFIX)).toBe(true);
      expect(content.subarray(0, 64).includes(JPEG)).toBe(false);
    }
    for (const { documentId } of await listed()) {
      const image = await fetchImage(documentId);
      expect(image.status).toBe(200);
      const bytes = Buffer.from(await image.arrayBuffer());
      expect(bytes.subarray(0, 3)).toEqual(JPEG);
    }
    expect((await approve(accounts, customer.cornerStoreId)).status).toBe(200);
  });

  it('an image that is sent twice at once is there once', async () => {
    const body = { step: 'SELFIE_IMAGE', document: await documentOf('jpeg') };
    const before = store.objects.size;

    const answers = await Promise.all([take(body), take(body)]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(store.objects.size).toBe(before + 1);
  });

  it.each(['refuse', 'fail', 'hang'] as const)(
    'while the store does %s, a step is answered with 503 and not recorded, and accounts is ready',
    async (mode) => {
      store.mode = mode;
      const refused = await upload('SELFIE_IMAGE');
      expect([refused.status, refused.body.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await listed()).toEqual([]);
      expect((await accounts.call(undefined, 'GET', '/health/ready')).status).toBe(200);

      store.mode = 'work';
      expect((await upload('SELFIE_IMAGE')).status).toBe(200);
    },
  );

  it('an image that cannot be read now is a 503, and one that the store lost a 500', async () => {
    await upload('SELFIE_IMAGE');
    const [document] = await listed();
    store.mode = 'stall';
    expect((await fetchImage(document?.documentId)).status).toBe(503);

    store.mode = 'work';
    store.objects.clear();
    expect((await fetchImage(document?.documentId)).status).toBe(500);
  });

  it('objects without a row are removed after a day, from all pages of the list', async () => {
    await upload('SELFIE_IMAGE');
    const [kept = ''] = [...store.objects.keys()].slice(-1);
    const put = (key: string, hours: number) => {
      const lastModified = new Date(Date.now() - hours * HOUR_MS);
      const content = store.objects.get(key)?.content ?? Buffer.from('x');
      store.objects.set(key, { content, lastModified });
    };
    put(kept, 25);
    const orphans = Array.from({ length: 5 }, () => `${PREFIX}${randomUUID()}`);
    for (const key of orphans) put(key, 25);
    put(`${PREFIX}young`, 23);
    put('of-somebody-else', 25);
    put(`${PREFIX}erased-persons/line`, 25);

    await sweepDocuments(accounts.context);

    const left = [...store.objects.keys()];
    expect(left).toEqual(
      expect.arrayContaining([
        kept,
        `${PREFIX}young`,
        'of-somebody-else',
        `${PREFIX}erased-persons/line`,
      ]),
    );
    expect(left.filter((key) => orphans.includes(key))).toEqual([]);
  });

  it('keeps the list of erased persons too, and adds nothing while it is down', async () => {
    const { erasedPersons } = accounts.context;
    const { userId, cornerStoreId } = customer;
    const person = {
      erasureId: randomUUID(),
      phase: 'suppress' as const,
      userId,
      cornerStoreId,
      request: { id: randomUUID() },
      phoneIndexes: [],
    };
    const lines = (): string[] =>
      [...store.objects.values()]
        .map(({ content }) => content.toString())
        .filter((content) => content.includes(person.erasureId));
    store.mode = 'fail';
    await expect(erasedPersons.add(person)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    store.mode = 'work';
    expect(lines()).toEqual([]);
    await erasedPersons.add(person);
    expect(lines()).toEqual([`${JSON.stringify(person)}\n`]);
  });

  it('a key that the store does not know is a 503', async () => {
    const { UPLOADS_URL, UPLOADS_ACCESS_KEY_ID: accessKeyId } = store.config;
    const documents = createS3DocumentStore({
      place: s3PlaceOf(UPLOADS_URL) as S3Place,
      credentials: { accessKeyId, secretAccessKey: 'another-secret' },
      timing: accounts.context.timing,
      log: accounts.context.log,
    });
    const before = store.signed;

    await expect(documents.put(Buffer.from('x'))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });

    expect(store.signed).toBe(before);
    await documents.close();
  });

  const take = (body: object): Promise<Answer> =>
    takeStep(
      accounts,
      wholesalerId,
      { userId: customer.userId, verificationId },
      { body: { ...body } },
    );

  async function upload(step: string): Promise<Answer> {
    return take({ step, document: await documentOf('jpeg') });
  }

  const documents = (): string => `/v1/admin/corner-stores/${customer.cornerStoreId}/documents`;

  async function listed(): Promise<Array<{ documentId: string }>> {
    return (await accounts.call(ops(), 'GET', documents())).body.documents;
  }

  async function fetchImage(documentId: unknown): Promise<Response> {
    return fetch(`${accounts.url}${documents()}/${String(documentId)}`, {
      headers: await tokenHeader('accounts', ops()),
    });
  }
});
