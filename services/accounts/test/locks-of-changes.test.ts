import { randomUUID } from 'node:crypto';
import { query } from '@fiado/chassis/db/query';
import { type StandIn, startStandIn } from '@fiado/chassis/testing/stand-in';
import { until } from '@fiado/chassis/testing/until';
import { CHANGE_KINDS, CHANGE_KIND_NAMES } from '@fiado/contracts/change-requests';
import { createCustomer, startAccountsWithWholesaler, type Accounts } from './support/accounts';
import { NOTHING_OPEN, withServicesAt } from './support/cancellations';

let services: StandIn;
let accounts: Accounts;
let wholesalerId: string;
/** The target of each kind, and SQL that locks the row that whoever asks for the change locks first. */
const targets: Record<string, { id: string; lock: string }> = {};

beforeAll(async () => {
  // They are asked before a cancellation.
  services = await startStandIn(async () => ({ body: { ...NOTHING_OPEN, cornerStoreIds: [] } }));
  const config = withServicesAt(services.url);
  ({ accounts, wholesalerId } = await startAccountsWithWholesaler({ config }));
  const { cornerStoreId, userId } = await createCustomer(accounts, wholesalerId);
  const [providerId, staffId, requestId] = [randomUUID(), randomUUID(), randomUUID()];
  await accounts.rows(
    `INSERT INTO payment_providers (id, name, time_zone) VALUES ($1, 'Pagos', 'America/Mexico_City')`,
    [providerId],
  );
  await accounts.rows(
    `INSERT INTO staff (id, email, name, role) VALUES ($1, 'eva@example.com', 'Eva', 'viewer')`,
    [staffId],
  );
  await accounts.rows(
    `INSERT INTO privacy_requests (id, user_id, kind, channel, identity_proof, received_at, answer_due_at,
                                   opened_by)
     VALUES ($1, $2, 'access', 'email', 'official-id', now(), now(), 'eva')`,
    [requestId, userId],
  );
  const lock = (table: string, id: string, target = id) => ({
    id: target,
    lock: `SELECT FROM ${table} WHERE id = '${id}' FOR UPDATE`,
  });
  Object.assign(targets, {
    'corner-store.terms': lock('corner_stores', cornerStoreId),
    'corner-store.phone-hold': lock('corner_stores', cornerStoreId),
    'corner-store.resume': lock('corner_stores', cornerStoreId),
    'customers.import': lock('wholesalers', wholesalerId),
    'wholesaler.settings': lock('wholesalers', wholesalerId),
    'payment-provider.settings': lock('payment_providers', providerId),
    'staff.role': lock('staff', staffId),
    'privacy.access': lock('corner_stores', cornerStoreId, requestId),
    'privacy.cancel': lock('corner_stores', cornerStoreId, requestId),
    'privacy.rectify': lock('corner_stores', cornerStoreId, requestId),
  });
});
afterAll(async () => {
  await accounts.stop();
  await services.stop();
});

const madeHere = CHANGE_KIND_NAMES.filter(
  (kind) => CHANGE_KINDS[kind].owner === 'accounts' && !('collectedBy' in CHANGE_KINDS[kind]),
);

/** Who asks for a change locks its target and then the changes of it that wait: the other order is a deadlock. */
it.each(madeHere)('an approved %s locks its target before its request', async (kind) => {
  const changeRequestId = randomUUID();
  const { id: targetId, lock } = targets[kind] ?? {};
  await accounts.context.db.transaction(async (tx) => {
    await query(tx, lock ?? '');
    await accounts.rows(
      `INSERT INTO change_requests (id, kind, target_id, target_version, payload, before, requested_by,
                                    status, decided_by, decided_at, expires_at, next_attempt_at)
       VALUES ($1, $2, $3, 0, '{}', '{}', 'ana', 'approved', 'luis', now(), now() + interval '1 hour',
               now())`,
      [changeRequestId, kind, targetId],
    );
    accounts.context.changeWorker.wake(changeRequestId);
    await until('the change waits for its target', async () => {
      const waiting = await accounts.rows(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    const free = await accounts.rows(
      'SELECT id FROM change_requests WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED',
      [changeRequestId],
    );
    expect(free).toHaveLength(1);
  });
  await until('the change is no longer made', async () => {
    const gone = await accounts.rows('DELETE FROM change_requests WHERE id = $1 RETURNING id', [
      changeRequestId,
    ]);
    return gone.length === 1;
  });
});
