import { randomUUID } from 'node:crypto';
import { type StandIn, startStandIn } from '@fiado/chassis/testing/stand-in';
import { until } from '@fiado/chassis/testing/until';
import { buildPackages } from '../src/privacy/build-packages';
import { runErasures } from '../src/privacy/run-erasures';
import {
  type Accounts,
  approve,
  createCustomer,
  type Customer,
  newPhone,
  startAccountsWithWholesaler,
} from './support/accounts';
import { cancellationCalls, NOTHING_OPEN, REQUESTS } from './support/cancellations';
import { approveChange, person } from './support/change-requests';

const DAY_MS = 86_400_000;

describe('a person whose data are blocked', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;
  let services: StandIn;
  let debts: object = NOTHING_OPEN;
  /** No service can be asked about it. */
  let unknownStore: string = randomUUID();
  let whenAsked = async (): Promise<void> => undefined;

  beforeAll(async () => {
    services = await startStandIn(async ({ path, body }) => {
      if (body.includes(unknownStore)) {
        return { status: 503, body: { errorCode: 'SERVICE_UNAVAILABLE' } };
      }
      await whenAsked();
      return path.startsWith('/internal/personal-data')
        ? { body: { rows: [], objectIds: [], next: null } }
        : { body: { ...debts, cornerStoreIds: [] } };
    });
    const config = {
      TRANSACTIONS_URL: services.url,
      PAYMENTS_URL: services.url,
      NOTIFIER_URL: services.url,
      RETENTION_YEARS: '0',
    };
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler({ config }));
  });
  beforeEach(async () => {
    debts = NOTHING_OPEN;
    customer = await createCustomer(accounts, wholesalerId);
    await approve(accounts, customer.cornerStoreId);
  });
  afterAll(async () => {
    await accounts.stop();
    await services.stop();
  });

  const { open, opened, grant, blocked, erasureOf, finish, show, statusOf, violated } =
    cancellationCalls(
      () => accounts,
      () => customer,
    );

  it('their store is not locked while other services are asked', async () => {
    const lockable: boolean[] = [];
    whenAsked = async () => {
      const lock = 'SELECT id FROM corner_stores WHERE user_id = $1 FOR NO KEY UPDATE NOWAIT';
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
    expect(await statusOf(access)).toBe('done');
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
    years.restore();
    expect(state).toBe('waiting');
    expect(dueAt.getUTCFullYear()).toBe(movedAt.getUTCFullYear() + 5);
  });

  it('is not kept waiting by erasures that fail, however many', async () => {
    unknownStore = customer.cornerStoreId;
    await accounts.rows(
      `WITH request AS (
         INSERT INTO privacy_requests (id, user_id, kind, channel, identity_proof, received_at,
                                       answer_due_at, status, outcome, answered_at, opened_by, done_at)
         SELECT gen_random_uuid(), $1, 'cancellation', 'email', 'official-id', now(), now(), 'done',
                'granted', now(), 'test', now() FROM generate_series(1, 45)
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
    await accounts.rows('DELETE FROM erasures WHERE corner_store_id = $1', [unknownStore]);
  });
});
