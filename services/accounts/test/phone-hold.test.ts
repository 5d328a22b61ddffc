import { randomUUID } from 'node:crypto';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import { increasesOf, sampleIn } from '@fiado/chassis/testing/metrics';
import { forAllTests } from '../../../test/support/for-all-tests';
import {
  createCustomer,
  newPhone,
  createWholesaler,
  startAccounts,
  type Customer,
  publishedSnapshots,
} from './support/accounts';
import { lastCode, smsAbout } from './support/sms';
import { verificationOf } from './support/verification';

describe('after a change of phone', () => {
  const accounts = forAllTests(startAccounts);

  const change = (wholesalerId: string, { userId }: Customer, phoneNumber = newPhone()) =>
    accounts.call(wholesaler(wholesalerId), 'PUT', `/v1/account/${userId}`, {
      body: { phoneNumber },
    });

  /** A store of so many wholesalers, and the first of them. */
  async function newStore(wholesalers: number, settings: object = {}) {
    const { wholesalerId } = await createWholesaler(accounts, settings);
    const customer = await createCustomer(accounts, wholesalerId);
    for (let more = 1; more < wholesalers; more += 1) {
      const { phoneNumber } = customer;
      await createCustomer(accounts, (await createWholesaler(accounts)).wholesalerId, {
        phoneNumber,
      });
    }
    return { wholesalerId, customer };
  }

  /** The last published link of the wholesaler to the store. */
  async function linkOf(wholesalerId: string, { cornerStoreId }: Customer) {
    const newest = (await publishedSnapshots(accounts, cornerStoreId)).at(-1);
    return newest?.customers.find((link) => link.wholesalerId === wholesalerId);
  }

  it.each([
    ['shared', 2, 'held'],
    ['shared', 1, 'not held'],
    ['always', 1, 'held'],
    ['never', 2, 'not held'],
  ])(
    'with phoneChangeHold %s, of a store of %d wholesalers, is %s',
    async (phoneChangeHold, wholesalers, outcome) => {
      const { wholesalerId, customer } = await newStore(wholesalers, { phoneChangeHold });

      expect((await change(wholesalerId, customer)).status).toBe(200);

      const link = await linkOf(wholesalerId, customer);
      expect(link?.phoneChanges).toBe(1);
      expect(link?.phoneHeldUntil != null).toBe(outcome === 'held');
    },
  );

  it('is published for the wholesaler that made it only, and lookups do not show it', async () => {
    const { wholesalerId, customer } = await newStore(2);
    const lookup = () =>
      accounts.call(
        wholesaler(wholesalerId),
        'GET',
        `/v1/corner-store/external/${customer.externalId}`,
      );
    const before = await lookup();
    const heldCount = async () =>
      sampleIn(
        (await accounts.call(undefined, 'GET', '/metrics')).text,
        'fiado_phone_changes_total{held="yes"}',
      );
    const [counted] = await increasesOf(
      async () => [await heldCount()],
      async () => void (await change(wholesalerId, customer)),
    );
    expect(counted).toBe(1);

    const held = await accounts.call(
      ops(),
      'GET',
      `/v1/admin/corner-stores?phoneHeld=true&wholesalerId=${wholesalerId}`,
    );
    const links = held.body.cornerStores[0].customers as Array<{
      wholesalerId: string;
      phoneHeldUntil: string | null;
    }>;
    expect(links.map((link) => [link.wholesalerId === wholesalerId, link.phoneHeldUntil])).toEqual([
      [true, expect.stringMatching(/Z$/)],
      [false, null],
    ]);
    expect((await lookup()).body).toEqual(before.body);
  });

  it('ends when ops clears it, which is audited and published', async () => {
    const { wholesalerId, customer } = await newStore(2);
    await change(wholesalerId, customer);
    const path = `/v1/admin/corner-stores/${customer.cornerStoreId}/clear-phone-hold`;

    const cleared = await accounts.call(ops(), 'POST', path);
    const again = await accounts.call(ops(), 'POST', path);

    expect([cleared.status, again.status]).toEqual([200, 200]);
    expect(await linkOf(wholesalerId, customer)).toMatchObject({
      phoneChanges: 1,
      phoneHeldUntil: null,
    });
    const audit = await accounts.rows(
      `SELECT action FROM audit_log WHERE object_id = $1 AND actor_kind = 'ops'`,
      [customer.cornerStoreId],
    );
    expect(audit).toEqual([
      { action: 'user.phone-confirmed' },
      { action: 'corner-store.phone-hold-cleared' },
    ]);
    const unknown = `/v1/admin/corner-stores/${randomUUID()}/clear-phone-hold`;
    expect((await accounts.call(ops(), 'POST', unknown)).body.errorCode).toBe(
      'CORNER_STORE_NOT_FOUND',
    );
  });

  it('cannot be cleared by a wholesaler', async () => {
    const { wholesalerId, customer } = await newStore(2);
    const path = `/v1/admin/corner-stores/${customer.cornerStoreId}/clear-phone-hold`;
    const answer = await accounts.call(wholesaler(wholesalerId), 'POST', path);
    expect([answer.status, answer.body.errorCode]).toEqual([403, 'FORBIDDEN']);
  });

  it('of six at the same time three pass; another wholesaler has three of its own', async () => {
    const { wholesalerId, customer } = await newStore(1);
    const other = (await createWholesaler(accounts)).wholesalerId;
    await createCustomer(accounts, other, { phoneNumber: customer.phoneNumber });

    const answers = await Promise.all(
      Array.from({ length: 6 }, () => change(wholesalerId, customer)),
    );
    const outcomes = answers.map(({ status, body }) => `${status} ${body.errorCode ?? ''}`.trim());
    expect(outcomes.sort()).toEqual([
      '200',
      '200',
      '200',
      '429 TOO_MANY_ATTEMPTS',
      '429 TOO_MANY_ATTEMPTS',
      '429 TOO_MANY_ATTEMPTS',
    ]);

    const phoneNumber = newPhone();
    expect((await change(other, customer, phoneNumber)).status).toBe(200);
    expect((await change(wholesalerId, customer, phoneNumber)).status).toBe(200);
    await accounts.rows(
      `UPDATE phone_changes SET changed_at = changed_at - interval '24 hours'
        WHERE corner_store_id = $1`,
      [customer.cornerStoreId],
    );
    expect((await change(wholesalerId, customer)).status).toBe(200);
  });

  it('ends the code that waits for the user, that wholesaler’s only; a resend makes a new one', async () => {
    const { wholesalerId, customer } = await newStore(1);
    const other = (await createWholesaler(accounts)).wholesalerId;
    await createCustomer(accounts, other, { phoneNumber: customer.phoneNumber });
    const own = verificationOf(accounts, wholesalerId, customer);
    const others = verificationOf(accounts, other, customer);
    const verificationId = await own.started();
    const code = await lastCode(accounts, customer.userId);
    const otherId = await others.started();
    const otherCode = await lastCode(accounts, customer.userId);

    await change(wholesalerId, customer);

    const outcome = await own.confirm(verificationId, { code });
    expect([outcome.status, outcome.body.errorCode]).toEqual([422, 'VERIFICATION_NOT_VALID']);
    expect((await own.resend(verificationId)).status).toBe(200);
    const renewed = await lastCode(accounts, customer.userId);
    expect((await own.confirm(verificationId, { code: renewed })).status).toBe(200);
    expect((await others.confirm(otherId, { code: otherCode })).status).toBe(200);
  });

  it('is announced by SMS to the old phone number', async () => {
    const { wholesalerId, customer } = await newStore(1);
    await change(wholesalerId, customer);
    expect((await smsAbout(accounts, customer.userId)).at(-1)).toMatchObject({
      phone: customer.phoneNumber,
    });
  });
});
