import { randomUUID } from 'node:crypto';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import type { OutboxRow } from '@fiado/chassis/outbox/append';
import type { CornerStoreSnapshot } from '@fiado/contracts/corner-store';
import { wholesaler } from '@fiado/chassis/testing/callers';
import {
  createCustomer,
  newPhone,
  createWholesaler,
  type Accounts,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import { anotherCode, lastCode, smsAbout } from './support/sms';
import { verificationOf, type VerificationCalls } from './support/verification';

describe('confirmation of a code', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;
  let calls: VerificationCalls;

  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
  });
  beforeEach(async () => {
    customer = await createCustomer(accounts, wholesalerId);
    calls = verificationOf(accounts, wholesalerId, customer);
  });
  afterAll(() => accounts.stop());

  it('approves once, by either name of the code', async () => {
    const verificationId = await calls.started();
    const code = await lastCode(accounts, customer.userId);
    const answer = await calls.confirm(verificationId, { errorCode: code });
    expect([answer.status, answer.body]).toEqual([
      200,
      { verificationId, verificationStatus: 'approved' },
    ]);
    expect((await calls.confirm(verificationId, { code })).body).toMatchObject({
      errorCode: 'VERIFICATION_NOT_VALID',
      reason: 'approved',
      checksLeft: 0,
    });
  });

  it('changes the user’s phone, warns the old number and publishes the change', async () => {
    const phoneNumber = newPhone();
    const verificationId = await calls.started({ phoneNumber });
    expect(
      (await calls.confirm(verificationId, { code: await lastCode(accounts, customer.userId) }))
        .status,
    ).toBe(200);

    const warning = (await smsAbout(accounts, customer.userId)).at(-1);
    expect(warning).toMatchObject({ template: 'phone-changed', phone: customer.phoneNumber });
    const events = (await accounts.outbox('corner-store.changed')).filter(
      (row) => row.aggregate_id === customer.cornerStoreId,
    );
    expect(events.map((row) => row.aggregate_version)).toEqual([1, 2]);
    const { phoneSealed } = (events[1] as OutboxRow).data as CornerStoreSnapshot;
    const sealed = Buffer.from(phoneSealed, 'base64');
    expect(accounts.context.sealer.open(sealed, 'phone', customer.cornerStoreId)).toBe(phoneNumber);
  });

  it('refuses a phone that now belongs to another user, and the verification stays', async () => {
    const phoneNumber = newPhone();
    const verificationId = await calls.started({ phoneNumber });
    const other = await createCustomer(accounts, wholesalerId, { phoneNumber });
    const code = await lastCode(accounts, customer.userId);
    const answer = await calls.confirm(verificationId, { code });
    expect([answer.status, answer.body.errorCode]).toEqual([400, 'PHONE_NUMBER_ALREADY_EXISTS']);
    expect(answer.body.errorMessage).toContain(other.userId);
    const [row] = await accounts.rows('SELECT status FROM verifications WHERE id = $1', [
      verificationId,
    ]);
    expect(row?.status).toBe('pending');
  });

  it('a code counts as a person types it, and a text that is no code counts for nothing', async () => {
    const verificationId = await calls.started();
    const code = await lastCode(accounts, customer.userId);
    for (const text of ['hola', '', '1'.repeat(40)]) {
      expect((await calls.confirm(verificationId, { code: text })).body).toMatchObject({
        errorCode: 'VERIFICATION_NOT_VALID',
        reason: 'not-a-code',
        checksLeft: 5,
      });
    }
    const typed = ` ${code.slice(0, 3)}-${code.slice(3)}\n`;
    expect((await calls.confirm(verificationId, { code: typed })).status).toBe(200);
  });

  it('fifty parallel guesses get five checks', async () => {
    const verificationId = await calls.started();
    const code = await lastCode(accounts, customer.userId);
    const guesses = await inFlight(
      Array.from(
        { length: 50 },
        () => () => calls.confirm(verificationId, { code: anotherCode(code) }),
      ),
    );
    expect(guesses.every((guess) => guess.body.errorCode === 'VERIFICATION_NOT_VALID')).toBe(true);
    const [row] = await accounts.rows('SELECT checks FROM verifications WHERE id = $1', [
      verificationId,
    ]);
    expect(row?.checks).toBe(5);
    const left = guesses.map(({ body }) => Number(body.checksLeft)).filter((checks) => checks > 0);
    expect(left.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4]);
    expect((await calls.confirm(verificationId, { code })).body.reason).toBe('checks-used-up');
  });

  it('eight parallel right answers approve once', async () => {
    const verificationId = await calls.started({ phoneNumber: newPhone() });
    const code = await lastCode(accounts, customer.userId);
    const answers = await inFlight(
      Array.from({ length: 8 }, () => () => calls.confirm(verificationId, { code })),
    );
    expect(answers.map(({ status, body }) => String(body.reason ?? status)).sort()).toEqual([
      '200',
      ...Array.from({ length: 7 }, () => 'approved'),
    ]);
    const warnings = (await smsAbout(accounts, customer.userId)).filter(
      (sms) => sms.template === 'phone-changed',
    );
    expect(warnings).toHaveLength(1);
  });

  it('an expired code is not valid', async () => {
    const verificationId = await calls.started();
    await accounts.rows('UPDATE verifications SET expires_at = now() WHERE id = $1', [
      verificationId,
    ]);
    const answer = await calls.confirm(verificationId, {
      code: await lastCode(accounts, customer.userId),
    });
    expect(answer.body).toMatchObject({
      errorCode: 'VERIFICATION_NOT_VALID',
      reason: 'expired',
      checksLeft: 0,
    });
  });

  it('a verification that a newer one replaced is cancelled', async () => {
    const verificationId = await calls.started();
    const code = await lastCode(accounts, customer.userId);
    await calls.started();
    expect((await calls.confirm(verificationId, { code })).body).toMatchObject({
      errorCode: 'VERIFICATION_NOT_VALID',
      reason: 'cancelled',
      checksLeft: 0,
    });
  });

  it('needs a code, a known user and a known verification', async () => {
    const verificationId = await calls.started();
    expect((await calls.confirm(verificationId, {})).status).toBe(400);
    expect((await calls.confirm(verificationId, { code: 123_456 })).status).toBe(400);
    expect((await calls.confirm(randomUUID(), { code: '1' })).body.errorCode).toBe(
      'VERIFICATION_NOT_FOUND',
    );
    const stranger = wholesaler((await createWholesaler(accounts)).wholesalerId);
    const foreign = await accounts.call(stranger, 'PUT', calls.path(verificationId), {
      body: { code: '1' },
    });
    expect([foreign.status, foreign.body.errorCode]).toEqual([404, 'USER_NOT_FOUND']);
  });

  it('refuses after twenty wrong codes in a day, also with a new verification', async () => {
    const outcomes: string[] = [];
    for (let begun = 0; begun < 5; begun += 1) {
      const verificationId = await calls.started();
      const code = anotherCode(await lastCode(accounts, customer.userId));
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => calls.confirm(verificationId, { code })),
      );
      outcomes.push(...answers.map(({ status, body }) => `${status} ${body.errorCode}`));
    }
    expect(outcomes.filter((outcome) => outcome === '422 VERIFICATION_NOT_VALID')).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === '429 TOO_MANY_ATTEMPTS')).toHaveLength(5);

    const verificationId = await calls.started();
    const right = await calls.confirm(verificationId, {
      code: await lastCode(accounts, customer.userId),
    });
    expect([right.status, right.body.errorCode]).toEqual([429, 'TOO_MANY_ATTEMPTS']);

    const other = await createCustomer(accounts, wholesalerId);
    const ofOther = verificationOf(accounts, wholesalerId, other);
    const answer = await ofOther.confirm(await ofOther.started(), {
      code: await lastCode(accounts, other.userId),
    });
    expect(answer.status).toBe(200);
  });
});
