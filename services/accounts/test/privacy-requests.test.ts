import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/chassis/testing/callers';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { samplePrivacyRequests } from '../src/privacy/privacy-request';
import type { Answer } from '@fiado/chassis/testing/call';
import { samplesOf } from '@fiado/chassis/testing/service';
import {
  createCustomer,
  createWholesaler,
  newPhone,
  publishedSnapshots,
  type Accounts,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import { smsAbout } from './support/sms';

const REQUESTS = '/v1/admin/privacy-requests';

describe('requests of persons about their data', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;

  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
  });
  beforeEach(async () => {
    customer = await createCustomer(accounts, wholesalerId);
  });
  afterAll(() => accounts.stop());

  const open = (body: object = {}): Promise<Answer> =>
    accounts.call(ops(), 'POST', REQUESTS, {
      body: {
        userId: customer.userId,
        kind: 'rectification',
        channel: 'email',
        identityProof: 'official-id',
        ...body,
      },
    });
  const opened = async (body: object = {}): Promise<string> =>
    (await open(body)).body.privacyRequestId;
  const answer = (id: string, body: object): Promise<Answer> =>
    accounts.call(ops(), 'POST', `${REQUESTS}/${id}/answer`, { body });
  const details = async (): Promise<Record<string, unknown>> => {
    const path = `/v1/admin/corner-stores/${customer.cornerStoreId}`;
    return (await accounts.call(ops(), 'GET', path)).body.cornerStore;
  };

  it('starts the clock at its receipt, over a holiday, and is listed until it is due', async () => {
    const { status, body } = await open({ receivedAt: '2026-09-01T08:00:00-06:00' });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        userId: customer.userId,
        cornerStoreId: customer.cornerStoreId,
        kind: 'rectification',
        status: 'open',
        receivedAt: '2026-09-01T14:00:00.000Z',
        answerDueAt: '2026-10-01T05:59:59.999Z',
        executionDueAt: null,
        openedBy: 'ops',
      }),
    ]);
    const { privacyRequestId } = body;
    const { body: shown } = await accounts.call(ops(), 'GET', `${REQUESTS}/${privacyRequestId}`);
    expect(shown).toEqual({ ...body, consents: [], erasures: [] });
    const listed = async (query: string): Promise<string[]> => {
      const path = `${REQUESTS}?userId=${customer.userId}&${query}`;
      const { body: page } = await accounts.call(ops(), 'GET', path);
      return page.privacyRequests.map((one: typeof body) => one.privacyRequestId);
    };
    expect(await listed('status=open&kind=rectification')).toEqual([privacyRequestId]);
    expect(await listed('dueBefore=2026-09-30')).toEqual([privacyRequestId]);
    expect(await listed('dueBefore=2026-09-29')).toEqual([]);
    expect(await listed('status=done')).toEqual([]);
  });

  it('is urgent from three days before its time is over until it is answered', async () => {
    const urgent = async (): Promise<number[]> => {
      for (const reading of await samplePrivacyRequests(accounts.context)) reading.record();
      const values = await samplesOf('fiado_privacy_requests_urgent');
      return ['answer', 'execution'].map(
        (step) => values.find(({ labels }) => labels.step === step)?.value ?? NaN,
      );
    };
    const id = await opened();
    const dueIn = (days: number): Promise<object[]> =>
      accounts.rows(
        'UPDATE privacy_requests SET answer_due_at = now() + make_interval(days => $2) WHERE id = $1',
        [id, days],
      );
    const [answers = 0, executions] = await urgent();
    for (const [days, more] of [
      [4, 0],
      [2, 1],
      [-1, 1],
    ] as const) {
      await dueIn(days);
      expect(await urgent()).toEqual([answers + more, executions]);
    }
    await answer(id, { outcome: 'refused', reasonCode: 'no-data' });
    expect(await urgent()).toEqual([answers, executions]);
  });

  it('a person has one open request of each kind, however many are recorded at once', async () => {
    const answers = await inFlight(Array.from({ length: 4 }, () => () => open()));
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    const first = answers.find(({ status }) => status === 201)?.body.privacyRequestId;
    expect((await open()).body).toMatchObject({
      errorCode: 'PRIVACY_REQUEST_ALREADY_OPEN',
      privacyRequestId: first,
    });
    expect((await open({ kind: 'access' })).status).toBe(201);
    await answer(first, { outcome: 'refused', reasonCode: 'no-data' });
    expect((await open()).status).toBe(201);
  });

  it.each([
    ['an unknown user', { userId: randomUUID() }, 404, 'USER_NOT_FOUND'],
    ['an unknown kind', { kind: 'portability' }, 400, undefined],
    ['a moment to come', { receivedAt: '2100-01-01T00:00:00Z' }, 400, undefined],
    ['a moment without an offset', { receivedAt: '2026-09-01T08:00:00' }, 400, undefined],
    ['a proof that quotes what was shown', { identityProof: 'INE 1234' }, 400, undefined],
  ])('records none of %s', async (_what, body, status, errorCode) => {
    const answered = await open(body);
    expect([answered.status, answered.body.errorCode]).toEqual([status, errorCode]);
  });

  it('a refusal and an extension need a reason of theirs; each time is extended once', async () => {
    const id = await opened({ receivedAt: new Date().toISOString() });
    const { body: before } = await accounts.call(ops(), 'GET', `${REQUESTS}/${id}`);
    expect((await answer(id, { outcome: 'extended' })).body.errorCode).toBe('REASON_REQUIRED');
    expect((await answer(id, { outcome: 'refused' })).body.errorCode).toBe('REASON_REQUIRED');
    expect((await answer(id, { outcome: 'refused', reasonCode: 'many-records' })).status).toBe(400);
    expect((await answer(id, { outcome: 'granted', reasonCode: 'no-data' })).status).toBe(400);

    const extended = await answer(id, { outcome: 'extended', reasonCode: 'many-records' });
    expect(extended.body).toMatchObject({ status: 'open', answerExtended: true });
    expect(extended.body.answerDueAt > before.answerDueAt).toBe(true);
    const again = await answer(id, { outcome: 'extended', reasonCode: 'many-records' });
    expect([again.status, again.body.errorCode]).toEqual([422, 'PRIVACY_REQUEST_IS_NOT_OPEN']);

    const refused = await answer(id, { outcome: 'refused', reasonCode: 'identity-not-proven' });
    expect(refused.body).toMatchObject({ status: 'refused', reasonCode: 'identity-not-proven' });
    expect(
      (await answer(id, { outcome: 'granted', corrections: { firstName: 'Eva' } })).body.errorCode,
    ).toBe('PRIVACY_REQUEST_IS_NOT_OPEN');
    const actions = await accounts.rows(
      `SELECT action, details->>'outcome' AS outcome FROM audit_log
        WHERE details->>'privacyRequestId' = $1 ORDER BY occurred_at, id`,
      [id],
    );
    expect(actions).toEqual([
      { action: 'privacy-request.opened', outcome: null },
      { action: 'privacy-request.answered', outcome: 'extended' },
      { action: 'privacy-request.answered', outcome: 'refused' },
    ]);
  });

  it('a granted rectification replaces names, and is done', async () => {
    const id = await opened();
    expect((await answer(id, { outcome: 'granted' })).status).toBe(400);
    for (const nothing of [{}, { firstName: null, phoneNumber: null }]) {
      const refused = await answer(id, { outcome: 'granted', corrections: nothing });
      expect([refused.status, refused.body.message]).toEqual([
        400,
        ['corrections must have at least one field'],
      ]);
    }
    const corrections = { firstName: 'Lucía', cornerStoreName: 'Abarrotes Lucía' };
    const { status, body } = await answer(id, { outcome: 'granted', corrections });
    expect([status, body.status, body.outcome]).toEqual([200, 'done', 'granted']);
    expect(body.doneAt).toEqual(expect.any(String));
    expect(await details()).toMatchObject({ ...corrections, lastNames: customer.lastNames });
  });

  it('a corrected phone warns the old one and holds the orders of each wholesaler of the store', async () => {
    const other = await createWholesaler(accounts);
    await createCustomer(accounts, other.wholesalerId, { phoneNumber: customer.phoneNumber });
    const phoneNumber = newPhone();
    const { status } = await answer(await opened(), {
      outcome: 'granted',
      corrections: { phoneNumber },
    });
    expect(status).toBe(200);
    expect(await details()).toMatchObject({
      phoneNumber,
      customers: [{ phoneHeldUntil: expect.any(String) }, { phoneHeldUntil: expect.any(String) }],
    });
    expect(await smsAbout(accounts, customer.userId)).toEqual([
      expect.objectContaining({ template: 'phone-changed', phone: customer.phoneNumber }),
    ]);
    expect(await publishedSnapshots(accounts, customer.cornerStoreId)).not.toHaveLength(0);
  });

  it('a phone of another user changes nothing, and leaves the request open', async () => {
    const taken = await createCustomer(accounts, wholesalerId);
    const id = await opened();
    const refused = await answer(id, {
      outcome: 'granted',
      corrections: { firstName: 'Eva', phoneNumber: taken.phoneNumber },
    });
    expect(refused.body.errorCode).toBe('PHONE_NUMBER_ALREADY_EXISTS');
    expect(await details()).toMatchObject({ firstName: customer.firstName });
    const { body } = await accounts.call(ops(), 'GET', `${REQUESTS}/${id}`);
    expect(body.status).toBe('open');
  });

  it('answers nothing of a request that does not exist', async () => {
    const refused = await answer(randomUUID(), { outcome: 'granted' });
    expect(refused.body.errorCode).toBe('PRIVACY_REQUEST_NOT_FOUND');
  });
});
