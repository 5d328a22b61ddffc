import { inFlight } from '@fiado/chassis/testing/in-flight';
import type { Answer } from '@fiado/chassis/testing/call';
import { waitFor } from '../e2e/support/api';
import { sharedSystem } from '../e2e/support/shared-system';
import {
  codeIn,
  confirm,
  createStore,
  createWholesaler,
  importStore,
  order,
  randomPhone,
  type Store,
  type Wholesaler,
} from '../e2e/support/story';
import { outcomeOf } from './attacker/flood';
import { besideNeighbour } from './support/neighbour';

const system = sharedSystem();

const REFUSED = '429 TOO_MANY_ATTEMPTS';
/** SMS to one phone in a day; one wholesaler may use three quarters, and half is for order codes. */
const PER_PHONE = 20;
/** Codes to unknown numbers before one in ten must be confirmed, of a limit of 1,000. */
const UNPROVEN = 100;

/** Messages of one batch; one wholesaler sends 300 in a minute. */
const OVER_CAP = 400;

interface Message {
  messageId: string;
  template: string;
  status: string;
  reason: string | null;
  wholesalerId: string;
  body: string;
}

/** Messages to a phone that nobody works on any more. */
function settledMessages(phone: string, count: number): Promise<Message[]> {
  return waitFor(async () => {
    const { body } = await system.call(system.opsKey, 'POST', '/admin/messages/search', {
      body: { limit: 100, phoneNumber: phone },
    });
    const all = body.messages as Message[];
    // The news of the store's approval comes before any of them.
    const messages = all.filter(({ template }) => template !== 'store-approved');
    const settled = messages.every(({ status }) => status !== 'pending' && status !== 'sending');
    return settled && messages.length >= count ? messages : undefined;
  });
}

/** Customers that are not verified yet: those whose phones a wholesaler may verify. */
async function importUsers({ wholesalerId }: Wholesaler, count: number): Promise<string[]> {
  const customers = Array.from({ length: count }, () => ({
    externalId: crypto.randomUUID(),
    firstName: 'Lucía',
    lastNames: 'Ortega',
    phoneNumber: randomPhone(),
    creditLimit: 10_000,
    interestRate: 0.05,
  }));
  const path = `/admin/wholesalers/${wholesalerId}/customers`;
  const { body } = await system.call(system.opsKey, 'POST', path, { body: { customers } });
  return body.customers.map(({ userId }: { userId: string }) => userId);
}

const verify = ({ key }: Wholesaler, userId: string, phoneNumber: string): Promise<Answer> =>
  system.call(key, 'POST', `/account/${userId}/verification`, {
    body: { firstName: 'Ana', lastNames: 'Ruiz', phoneNumber },
  });

/** The text of the newest SMS of a wholesaler to a phone, once it is sent. */
function smsOf({ wholesalerId }: Wholesaler, phone: string, template: string): Promise<string> {
  return waitFor(async () => {
    const { body } = await system.call(system.opsKey, 'POST', '/admin/messages/search', {
      body: { limit: 100, phoneNumber: phone },
    });
    const newest = (body.messages as Message[]).find(
      (message) => message.wholesalerId === wholesalerId && message.template === template,
    );
    return newest?.status === 'sent' ? newest.body : undefined;
  });
}

/** A whole order of a store: its code and its word arrive. */
async function buy(wholesaler: Wholesaler, store: Store): Promise<void> {
  const created = await order(system, wholesaler, store);
  await confirm(
    system,
    wholesaler,
    created,
    codeIn(await smsOf(wholesaler, store.phone, 'order-code')),
  );
  await smsOf(wholesaler, store.phone, 'delivery-word');
}

it('account verifications to a stranger’s phone do not silence its orders', async () => {
  const [attacker, victim] = [await createWholesaler(system), await createWholesaler(system)];
  const store = await createStore(system, victim);
  const users = await importUsers(attacker, 4);
  await besideNeighbour(system, 'account codes to another’s customer', async () => {
    const outcomes: string[] = [];
    for (const userId of users) {
      for (let n = 0; n < 12; n += 1) {
        outcomes.push(outcomeOf(await verify(attacker, userId, store.phone)));
      }
    }
    // Ten verifications of one user in a day.
    expect(outcomes.filter((outcome) => outcome === REFUSED)).toHaveLength(4 * 2);
    const messages = await settledMessages(store.phone, 40);
    const sent = messages.filter(({ status }) => status === 'sent');
    expect(sent).toHaveLength(7);
    await buy(victim, store);
  });
});

it('order codes of one wholesaler leave the codes and words of another', async () => {
  const [attacker, victim] = [await createWholesaler(system), await createWholesaler(system)];
  const store = await createStore(system, attacker);
  await importStore(system, victim, { externalId: store.externalId, phone: store.phone });
  await besideNeighbour(system, 'order codes until the phone’s budget ends', async () => {
    for (let n = 0; n < PER_PHONE; n += 1) {
      const { transactionId } = await order(system, attacker, store);
      await system.call(attacker.key, 'POST', `/transaction/${transactionId}/cancel`);
    }
    const messages = await settledMessages(store.phone, PER_PHONE);
    const sent = messages.filter(({ status }) => status === 'sent').length;
    expect(sent).toBe(PER_PHONE * 0.75);
    await buy(victim, store);

    // The attacker sees its own state: its order stands, its resend is refused.
    const { transactionId, verificationId } = await order(system, attacker, store);
    const status = await waitFor(async () => {
      const { body } = await system.call(attacker.key, 'GET', `/transaction/${transactionId}`);
      const { smsStatus } = body.verification;
      return smsStatus === 'pending' ? undefined : smsStatus;
    });
    expect(status).toBe('failed');
    const path = `/transaction/${transactionId}/verification/${verificationId}`;
    expect(outcomeOf(await system.call(attacker.key, 'POST', path))).toBe(REFUSED);
  });
});

it('codes to numbers that no customer has end after a hundred, customers get theirs', async () => {
  const attacker = await createWholesaler(system);
  const store = await createStore(system, attacker);
  const users = await importUsers(attacker, 2 * UNPROVEN);
  await besideNeighbour(system, 'codes to unknown numbers', async () => {
    const outcomes: string[] = [];
    for (const userId of users) {
      outcomes.push(outcomeOf(await verify(attacker, userId, randomPhone())));
    }
    expect(outcomes.slice(0, UNPROVEN)).toEqual(Array.from({ length: UNPROVEN }, () => '201'));
    expect(new Set(outcomes.slice(UNPROVEN))).toEqual(new Set([REFUSED]));
    await buy(attacker, store);
  });
});

it('messages beyond a wholesaler’s limit delay no other message', async () => {
  const attacker = await createWholesaler(system);
  const stores = await inFlight(
    Array.from({ length: OVER_CAP }, () => () => createStore(system, attacker)),
  );
  await besideNeighbour(system, 'a batch over the cap of a minute', async () => {
    const transactions = stores.map(({ cornerStoreId }) => ({
      cornerStoreId,
      totalAmount: 100,
      products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }],
      metadata: {},
    }));
    const { status } = await system.call(attacker.key, 'POST', '/transaction/batch', {
      body: { driverId: 'driver-1', transactions },
    });
    expect(status).toBe(200);
    const other = await createWholesaler(system);
    await buy(other, await createStore(system, other));
  });
});
