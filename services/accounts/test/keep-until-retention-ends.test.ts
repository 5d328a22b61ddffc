import { randomUUID } from 'node:crypto';
import { type StandIn, startStandIn } from '@fiado/chassis/testing/stand-in';
import { until } from '@fiado/chassis/testing/until';
import { buildPackages } from '../src/privacy/build-packages';
import { runErasures } from '../src/privacy/run-erasures';
import {
  type Accounts,
  approve,
  createCustomer,
  createCustomers,
  createWholesaler,
  type Customer,
  importCustomers,
  newPhone,
  startAccountsWithWholesaler,
} from './support/accounts';
import { cancellationCalls, NOTHING_OPEN, REQUESTS, withServicesAt } from './support/cancellations';
import { approveChange, person } from './support/change-requests';

const DAY_MS = 86_400_000;

describe('a person whose data are blocked', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;
  let services: StandIn;
  let debts: object = NOTHING_OPEN;
  /** No service can be asked about them. */
  let unknownStores: string[] = [];
  let whenAsked = async (): Promise<void> => undefined;

  beforeAll(async () => {
    services = await startStandIn(async ({ path, body }) => {
      if (unknownStores.some((id) => body.includes(id))) {
        return { status: 503, body: { errorCode: 'SERVICE_UNAVAILABLE' } };
      }
      await whenAsked();
      return path.startsWith('/internal/personal-data')
        ? { body: { rows: [], objectIds: [], next: null } }
        : { body: { ...debts, cornerStoreIds: [] } };
    });
    const config = withServicesAt(services.url);
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler({ config }));
  });
  beforeEach(async () => {
    debts = NOTHING_OPEN;
    unknownStores = [];
    customer = await createCustomer(accounts, wholesalerId);
    await approve(accounts, customer.cornerStoreId);
  });
  afterAll(async () => {
    await accounts.stop();
    await services.stop();
  });

  const { answer, open, opened, grant, blocked, erasureOf, finish, show, statusOf, violated } =
    cancellationCalls(
      () => accounts,
      () => customer,
    );

  it('their store is not locked while other services are asked', async () => {
    const lockable: boolean[] = [];
    whenAsked = async () => {
      const lock = 'SELECT id FROM corner_stores WHERE user_id = $1 FOR SHARE NOWAIT';
      const isFree = accounts.rows(lock, [customer.userId]).then(
        () => true,
        () => false,
      );
      lockable.push(await isFree);
    };
    const requestId = await opened();
    const path = `${REQUESTS}/${requestId}/answer`;
    const { body } = await accounts.call(person(), 'POST', path, { body: { outcome: 'granted' } });
    expect((await approveChange(accounts, body.changeRequestId)).status).toBe(200);
    await until('they are blocked', async () => (await statusOf(requestId)) === 'executing');
    whenAsked = async () => undefined;
    expect(lockable).toEqual([true, true, true, true]);
  });

  it('keeps their phone once blocked, and hears nothing of a correction', async () => {
    await blocked();
    const requestId = await opened('rectification');
    const before = (await accounts.outbox()).length;
    expect(
      (await grant(requestId, { corrections: { phoneNumber: newPhone() } })).body.errorCode,
    ).toBe('CORNER_STORE_IS_BLOCKED');
    expect((await grant(requestId, { corrections: { firstName: 'Eva' } })).body.status).toBe(
      'done',
    );
    expect((await accounts.outbox()).length).toBe(before);
  });

  it('is not erased while another request of theirs is open; one that comes meanwhile is refused', async () => {
    await blocked();
    const access = await opened('access');
    await finish((await erasureOf('block')).id);
    const waiting = await erasureOf('suppress');
    expect(waiting.state).toBe('waiting');
    expect(waiting.due_at.getTime()).toBeGreaterThan(Date.now() + 0.9 * DAY_MS);
    await grant(access);
    await buildPackages(accounts.context);
    await until('the copy is made', async () => (await statusOf(access)) === 'done');
    await accounts.rows('UPDATE erasures SET due_at = now() WHERE id = $1', [waiting.id]);
    await runErasures(accounts.context);
    const late = await opened('access');
    await grant(late);
    const opposition = await opened('opposition');
    await finish(waiting.id);
    for (const requestId of [late, opposition]) {
      expect(await show(requestId)).toMatchObject({
        status: 'refused',
        reasonCode: 'no-data',
        answeredBy: 'accounts',
      });
      expect((await grant(requestId)).body.errorCode).toBe('PRIVACY_REQUEST_IS_NOT_OPEN');
    }
    expect(await violated()).toEqual([]);
    expect((await open('access')).body.errorCode).toBe('USER_NOT_FOUND');
  });

  it('is kept for the whole retention after money that moved since the block', async () => {
    const years = jest.replaceProperty(accounts.context.config, 'RETENTION_YEARS', 5);
    const movedAt = new Date(Date.now() - 4 * 365 * DAY_MS);
    debts = { ...debts, lastMoneyAt: movedAt.toISOString() };
    await blocked();
    await finish((await erasureOf('block')).id);
    const { state, due_at: dueAt } = await erasureOf('suppress');
    expect(state).toBe('waiting');
    expect(dueAt.getUTCFullYear()).toBe(movedAt.getUTCFullYear() + 5);
    // A law asks for more by then.
    years.replaceValue(10);
    await accounts.rows('UPDATE erasures SET due_at = now() WHERE user_id = $1', [customer.userId]);
    await runErasures(accounts.context);
    years.restore();
    const later = await erasureOf('suppress');
    expect([later.state, later.due_at.getUTCFullYear()]).toEqual([
      'waiting',
      movedAt.getUTCFullYear() + 10,
    ]);
  });

  it('gets a copy although many others cannot be made, and one of those can be refused', async () => {
    const others = await createCustomers(accounts, wholesalerId, 6);
    unknownStores = others.map(({ cornerStoreId }) => cornerStoreId);
    const requests = [];
    const own = customer;
    for (customer of others) {
      requests.push(await opened('access'));
      await grant(requests.at(-1) ?? '');
    }
    customer = own;
    const last = await opened('access');
    await grant(last);
    for (let round = 0; round < 2; round += 1) await buildPackages(accounts.context);
    // The service's own loop may have taken it, and still be making it.
    await until('the copy is made', async () => (await statusOf(last)) === 'done');
    const [stuck = ''] = requests;
    expect(await statusOf(stuck)).toBe('executing');
    const refused = await answer(stuck, { outcome: 'refused', reasonCode: 'no-data' });
    expect(refused.body.status).toBe('refused');
  });

  it('leaves a number that somebody else can have, and that no import is refused for then', async () => {
    const { phoneNumber, userId } = customer;
    await blocked();
    await finish((await erasureOf('block')).id);
    await finish((await erasureOf('suppress')).id);
    const other = await createCustomer(accounts, wholesalerId);
    customer = other;
    const requestId = await opened('rectification');
    await grant(requestId, { corrections: { phoneNumber } });
    const row = {
      externalId: randomUUID(),
      firstName: 'Ana',
      lastNames: 'Ruiz',
      phoneNumber,
      creditLimit: 1000,
      interestRate: 0.05,
    };
    const { body } = await importCustomers(
      accounts,
      (await createWholesaler(accounts)).wholesalerId,
      [row],
    );
    expect(body.customers).toMatchObject([{ userId: other.userId }]);
    expect(other.userId).not.toBe(userId);
  });

  it('is not kept waiting by erasures that fail, however many', async () => {
    const { cornerStoreId } = customer;
    unknownStores = [cornerStoreId];
    await accounts.rows(
      `WITH request AS (
         INSERT INTO privacy_requests (id, user_id, kind, channel, identity_proof, received_at,
                                       answer_due_at, status, outcome, answered_at, opened_by, done_at)
         SELECT gen_random_uuid(), $1, 'cancellation', 'email', 'official-id', now(), now(), 'done',
                'granted', now(), 'test', now() FROM generate_series(1, 21)
         RETURNING id)
       INSERT INTO erasures (id, request_id, user_id, corner_store_id, phase, due_at)
       SELECT ('00000000-0000-7000-8000-' || right(id::text, 12))::uuid, id, $1, $2, 'suppress',
              now() - interval '1 day' FROM request`,
      [customer.userId, customer.cornerStoreId],
    );
    customer = await createCustomer(accounts, wholesalerId);
    await approve(accounts, customer.cornerStoreId);
    await blocked();
    debts = { ...debts, openDebts: 1 };
    await finish((await erasureOf('block')).id);
    debts = { ...debts, openDebts: 0 };
    const { id } = await erasureOf('suppress');
    await accounts.rows('UPDATE erasures SET due_at = now() WHERE id = $1', [id]);
    await runErasures(accounts.context);
    expect((await erasureOf('suppress')).state).toBe('running');
    await accounts.rows('DELETE FROM erasures WHERE corner_store_id = $1', [cornerStoreId]);
  });
});
