import { randomUUID } from 'node:crypto';
import { metricsText } from '@fiado/chassis/metrics';
import { ops, service, wholesaler } from '@fiado/chassis/testing/callers';
import { increasesOf, sampleIn } from '@fiado/chassis/testing/metrics';
import type { CornerStoreSnapshot } from '@fiado/contracts/corner-store';
import { phoneProved } from '@fiado/contracts/jobs/phones';
import type { SendMessage } from '@fiado/contracts/jobs/send-message';
import { forAllTests } from '../../../test/support/for-all-tests';
import {
  approve,
  createCustomer,
  createCustomers,
  newPhone,
  createWholesaler,
  startAccounts,
  type Customer,
} from './support/accounts';
import { createVerification } from './support/onboarding';
import { lastCode } from './support/sms';
import { verificationOf } from './support/verification';

/** SMS to unknown numbers in 24 hours; a tenth of them may go out before codes must come back. */
const PER_DAY = 40;
const UNPROVEN = 4;

const accounts = forAllTests(() =>
  startAccounts({ config: { SMS_TO_UNKNOWN_PER_DAY: String(PER_DAY) } }),
);

interface Seller {
  wholesalerId: string;
  /** Verifies a customer of its own at that phone. @returns the status of the answer */
  verify(phoneNumber: string): Promise<number>;
  /** Verifies a customer at an unknown phone, which confirms its code. */
  verifyAndConfirm(): Promise<void>;
}

async function newSeller(settings: object = {}): Promise<Seller> {
  const { wholesalerId } = await createWholesaler(accounts, settings);
  const begin = async (phoneNumber: string) => {
    const customer = await createCustomer(accounts, wholesalerId);
    const calls = verificationOf(accounts, wholesalerId, customer);
    return { customer, calls, answer: await calls.start({ phoneNumber }) };
  };
  return {
    wholesalerId,
    verify: async (phoneNumber) => (await begin(phoneNumber)).answer.status,
    verifyAndConfirm: async () => {
      const { customer, calls, answer } = await begin(newPhone());
      const code = await lastCode(accounts, customer.userId);
      const confirmed = await calls.confirm(answer.body.verificationId, { code });
      expect(confirmed.status).toBe(200);
    },
  };
}

/** Uses up a day's budget with codes that all came back. */
async function useUp({ wholesalerId }: Seller, { sent = PER_DAY, confirmed = PER_DAY } = {}) {
  await accounts.rows(
    `INSERT INTO unknown_number_sends (wholesaler_id, hour, sent, confirmed, last_sent_at)
     VALUES ($1, date_trunc('hour', now()) - interval '2 hours', $2, $3, now())`,
    [wholesalerId, sent, confirmed],
  );
}

describe('codes to numbers that no customer has', () => {
  it('are refused past the limit of 24 hours, and another wholesaler’s are not', async () => {
    const [seller, neighbour] = [await newSeller(), await newSeller()];
    await useUp(seller);
    expect(await seller.verify(newPhone())).toBe(429);
    expect(await neighbour.verify(newPhone())).toBe(201);

    await accounts.rows(
      `UPDATE unknown_number_sends SET hour = hour - interval '1 day' WHERE wholesaler_id = $1`,
      [seller.wholesalerId],
    );
    expect(await seller.verify(newPhone())).toBe(201);
  });

  it('are refused while too few numbers confirm', async () => {
    const seller = await newSeller();
    await useUp(seller, { sent: UNPROVEN - 1, confirmed: 0 });
    expect(await seller.verify(newPhone())).toBe(201);
    expect(await seller.verify(newPhone())).toBe(429);

    // One more may be sent in the life of a code: its owner confirms it.
    await accounts.rows(
      `UPDATE unknown_number_sends SET last_sent_at = now() - interval '10 minutes'
        WHERE wholesaler_id = $1`,
      [seller.wholesalerId],
    );
    await seller.verifyAndConfirm();
    expect(await seller.verify(newPhone())).toBe(201);
  });

  it('never exceed the limit in parallel', async () => {
    const seller = await newSeller();
    await useUp(seller, { sent: PER_DAY - 2 });
    const customers = await createCustomers(accounts, seller.wholesalerId, 10);
    const answers = await Promise.all(
      customers.map((customer) =>
        verificationOf(accounts, seller.wholesalerId, customer).start({ phoneNumber: newPhone() }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  });

  it('change nothing when they are refused', async () => {
    const seller = await newSeller();
    await useUp(seller);
    const customer = await createCustomer(accounts, seller.wholesalerId);
    const calls = verificationOf(accounts, seller.wholesalerId, customer);
    const { body } = await calls.start({ phoneNumber: newPhone(), firstName: 'Otra' });
    expect(body).toEqual({
      errorCode: 'TOO_MANY_ATTEMPTS',
      errorMessage: 'Too many codes were sent to phone numbers that no customer has',
    });
    const { userId } = customer;
    expect(await accounts.rows('SELECT FROM verifications WHERE user_id = $1', [userId])).toEqual(
      [],
    );
    const [user] = await accounts.rows('SELECT first_name FROM users WHERE id = $1', [userId]);
    expect(accounts.context.sealer.open(user?.first_name, 'first-name', customer.userId)).toBe(
      'Ana María',
    );
  });

  it('count when a code is sent again, to another number too', async () => {
    const seller = await newSeller();
    const customer = await createCustomer(accounts, seller.wholesalerId);
    const calls = verificationOf(accounts, seller.wholesalerId, customer);
    const verificationId = await calls.started();
    for (let n = 0; n < UNPROVEN; n += 1) {
      expect((await calls.resend(verificationId, newPhone())).status).toBe(200);
    }
    const another = verificationOf(
      accounts,
      seller.wholesalerId,
      await createCustomer(accounts, seller.wholesalerId),
    );
    const { status, body } = await another.resend(await another.started(), newPhone());
    expect(status).toBe(429);
    expect(body).toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
  });

  it('have a limit that ops sets for one wholesaler', async () => {
    const seller = await newSeller({ smsToUnknownPerDay: PER_DAY * 2 });
    await useUp(seller);
    expect(await seller.verify(newPhone())).toBe(201);
    const path = `/v1/admin/wholesalers/${seller.wholesalerId}`;
    const { body } = await accounts.call(ops(), 'PUT', path, { body: { smsToUnknownPerDay: 0 } });
    expect(body).toMatchObject({ smsToUnknownPerDay: 0 });
    expect(await seller.verify(newPhone())).toBe(429);
  });

  it('are counted by outcome', async () => {
    const seller = await newSeller();
    const samples = async () => {
      const text = await metricsText();
      return ['sent', 'confirmed', 'over-limit', 'low-conversion'].map((outcome) =>
        sampleIn(text, `fiado_sms_to_unknown_total{outcome="${outcome}"}`),
      );
    };
    const grown = await increasesOf(samples, async () => {
      await seller.verifyAndConfirm();
      await useUp(seller, { sent: PER_DAY - 1, confirmed: 0 });
      await seller.verify(newPhone());
    });
    expect(grown).toEqual([1, 1, 1, 0]);
  });
});

test('codes to customers’ phones have no such limit', async () => {
  const [seller, neighbour] = [await newSeller(), await newSeller()];
  await useUp(seller, { confirmed: 0 });
  const own = await createCustomer(accounts, seller.wholesalerId);
  const { phoneNumber } = await createCustomer(accounts, neighbour.wholesalerId);
  const calls = verificationOf(accounts, seller.wholesalerId, own);
  expect((await calls.start()).status).toBe(201);
  expect((await calls.start({ phoneNumber })).status).toBe(201);
});

describe('a number that a wholesaler set and no code has proved', () => {
  const budget = (wholesalerId: string, wanted: number) =>
    accounts.call(service('notifier'), 'POST', '/internal/unknown-numbers', {
      body: { wholesalerId, wanted },
    });
  /** A customer of the seller whose number the seller has changed. */
  async function changed({ wholesalerId }: Seller) {
    const customer = await createCustomer(accounts, wholesalerId);
    const phoneNumber = newPhone();
    const calls = verificationOf(accounts, wholesalerId, customer);
    const path = `/v1/account/${customer.userId}`;
    const caller = wholesaler(wholesalerId);
    const change = (to: string) =>
      accounts.call(caller, 'PUT', path, { body: { phoneNumber: to } });
    expect((await change(phoneNumber)).status).toBe(200);
    return { ...customer, phoneNumber, calls, change };
  }
  const told = async ({ cornerStoreId }: Customer) => {
    const events = await accounts.outbox('corner-store.changed');
    const last = events.filter((row) => row.aggregate_id === cornerStoreId).at(-1);
    return (last?.data as CornerStoreSnapshot | undefined)?.phoneUnprovenBy;
  };

  it('is unknown: its codes are limited, and every other SMS names the wholesaler', async () => {
    const seller = await newSeller();
    const customer = await changed(seller);
    expect(await told(customer)).toBe(seller.wholesalerId);
    await approve(accounts, customer.cornerStoreId);
    await customer.change(newPhone());
    const sms = (await accounts.outbox('send-message'))
      .filter((row) => row.aggregate_id === customer.userId)
      .map(({ data }) => [(data as SendMessage).template, (data as SendMessage).unprovenBy]);
    expect(sms).toEqual([
      // The first one went to the number that the lender imported.
      ['phone-changed', undefined],
      ['store-approved', seller.wholesalerId],
      ['phone-changed', seller.wholesalerId],
    ]);
    const unproven = await changed(seller);
    await useUp(seller);
    const { phoneNumber } = unproven;
    expect((await unproven.calls.start({ phoneNumber })).status).toBe(429);
  });

  it('is known once a code has come back', async () => {
    const seller = await newSeller();
    const [byCode, byOrder] = [await changed(seller), await changed(seller)];
    const { body } = await byCode.calls.start({ phoneNumber: byCode.phoneNumber });
    const code = await lastCode(accounts, byCode.userId);
    expect((await byCode.calls.confirm(body.verificationId, { code })).status).toBe(200);
    expect(await told(byCode)).toBeNull();

    const phoneIndex = accounts.context.sealer.blindIndex(byOrder.phoneNumber, 'phone');
    const proof = { phoneIndex: phoneIndex.toString('base64') };
    for (let times = 0; times < 2; times += 1) {
      await accounts.handle(phoneProved, { id: randomUUID(), version: 1 }, proof);
    }
    expect(await told(byOrder)).toBeNull();
    const [use] = await accounts.rows(
      'SELECT sent, confirmed FROM unknown_number_sends WHERE wholesaler_id = $1',
      [seller.wholesalerId],
    );
    expect(use).toEqual({ sent: 1, confirmed: 2 });
  });

  it('gets as many SMS as the day has left, over all that sends', async () => {
    const seller = await newSeller({ smsToUnknownPerDay: 2 });
    await useUp(seller, { sent: 1 });
    expect((await budget(seller.wholesalerId, 3)).body).toEqual({ allowed: 1 });
    expect((await budget(seller.wholesalerId, 1)).body).toEqual({ allowed: 0 });
    expect(await seller.verify(newPhone())).toBe(429);
  });
});

test('one wholesaler starts ten verifications of a user in 24 hours, another still starts one', async () => {
  const [seller, neighbour] = [await newSeller(), await newSeller()];
  const customer = await createCustomer(accounts, seller.wholesalerId);
  await createCustomer(accounts, neighbour.wholesalerId, { phoneNumber: customer.phoneNumber });
  const calls = verificationOf(accounts, seller.wholesalerId, customer);
  await calls.started();
  for (let n = 0; n < 9; n += 1) {
    await createVerification(accounts, seller.wholesalerId, customer);
  }
  expect(await calls.start()).toMatchObject({
    status: 429,
    body: { errorCode: 'TOO_MANY_ATTEMPTS' },
  });

  await verificationOf(accounts, neighbour.wholesalerId, customer).started();
  await accounts.rows(
    `UPDATE verifications SET created_at = created_at - interval '1 day' WHERE user_id = $1`,
    [customer.userId],
  );
  await calls.started();
});
