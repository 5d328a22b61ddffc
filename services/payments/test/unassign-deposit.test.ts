import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { TransactionDelivered } from '@fiado/contracts/jobs/debts';
import { CHANGE_JOBS } from '@fiado/contracts/jobs/changes';
import { provider, ops, staffMember, wholesaler } from '@fiado/chassis/testing/callers';
import { eventsOf, switchEvents } from '@fiado/chassis/testing/events';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import type { Answer } from '@fiado/chassis/testing/call';
import { paymentsService } from '../src/service';
import { auditedOf } from './support/audited';
import { brokenInvariants, deliverOverdue, detect, payFor, toldOf } from './support/defaults';
import { depositJson, postDeposit, untilSettled } from './support/deposit';
import { balanceOf, deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments, type PaymentsService } from './support/service';

let payments: PaymentsService;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(async () => {
  expect(await brokenInvariants(payments)).toEqual([]);
  await payments.stop();
});

const ana = staffMember('approver', new Date());
const reason = 'es de otra tienda';

type Decision = 'assign' | 'unassign' | 'reverse';
function decide(depositId: string, decision: Decision, body: object, by = ops()): Promise<Answer> {
  return payments.call(by, 'POST', `/v1/admin/deposits/${depositId}/${decision}`, { body });
}
const unassign = (depositId: string, by = ops()) => decide(depositId, 'unassign', { reason }, by);
const assign = (depositId: string, { cornerStoreId }: { cornerStoreId: string }) =>
  decide(depositId, 'assign', { cornerStoreId });

async function delivered(changes: Parameters<typeof delivery>[0] = {}) {
  const order = delivery(changes);
  await deliverTransaction(payments, order);
  return order;
}

describe('who assigned a deposit alone', () => {
  const olga = staffMember('operator', new Date());
  const luis = staffMember('operator', new Date());

  /** A deposit that a person assigned to the wrong store. */
  async function assigned(): Promise<{ depositId: string; wrong: TransactionDelivered }> {
    const wrong = await delivered();
    const sent = depositJson({ valor: 1100 });
    await postDeposit(payments, sent);
    await untilSettled(payments);
    const [row] = await payments.rows<{ id: string }>(
      'SELECT id FROM deposits WHERE clave_de_pago = $1',
      [sent.claveDePago],
    );
    const depositId = row?.id ?? '';
    const { status } = await decide(
      depositId,
      'assign',
      { cornerStoreId: wrong.cornerStoreId },
      olga,
    );
    expect(status).toBe(200);
    return { depositId, wrong };
  }

  it('takes it back alone within ten minutes, while nothing followed', async () => {
    const { depositId, wrong } = await assigned();
    expect((await unassign(depositId, luis)).status).toBe(202);
    const other = await assigned();
    expect((await unassign(other.depositId, olga)).body).toMatchObject({ status: 'unmatched' });
    expect(await auditedOf(payments, other.depositId)).toMatchObject([
      { action: 'deposit.assigned', actorId: olga.id },
      { action: 'deposit.unassigned', actorId: olga.id, details: { amountCents: 110_000 } },
    ]);
    // Accounts audits what a second person decides.
    expect(await auditedOf(payments, depositId)).toHaveLength(1);
    expect((await receivableOf(payments, other.wrong)).paid).toBe(false);
    expect((await receivableOf(payments, wrong)).paid).toBe(true);
  });

  it('asks for it later, and after other money of the store moved', async () => {
    const late = await assigned();
    // The rows are append-only for the service.
    const owner = new Client({ connectionString: payments.ownerUrl });
    await owner.connect();
    await owner.query('ALTER TABLE payments.deposit_decisions DISABLE TRIGGER USER');
    await owner.query(
      `UPDATE payments.deposit_decisions SET decided_at = decided_at - interval '10 minutes'
        WHERE deposit_id = $1`,
      [late.depositId],
    );
    await owner.query('ALTER TABLE payments.deposit_decisions ENABLE TRIGGER USER');
    await owner.end();
    expect((await unassign(late.depositId, olga)).status).toBe(202);
    const followed = await assigned();
    const { cornerStoreId, userId } = followed.wrong;
    const next = await delivered({ cornerStoreId, userId });
    await payFor(payments, next, 500);
    expect((await unassign(followed.depositId, olga)).status).toBe(202);
  });

  it('is not a key with the scope operator', async () => {
    const { depositId } = await assigned();
    const key = await unassign(depositId, ops('operator'));
    expect([key.status, key.body.errorCode]).toEqual([403, 'FORBIDDEN']);
  });
});

it('takes the money back by new rows, and the deposit pays the right store, as often as needed', async () => {
  const [wrong, right] = [await delivered(), await delivered()];
  const depositId = await payFor(payments, wrong, 1100);
  expect(await balanceOf(payments, wrong)).toBe(4_200);

  expect(await unassign(depositId)).toMatchObject({
    status: 200,
    body: { depositId, status: 'unmatched', reason: 'unassigned' },
  });
  expect((await receivableOf(payments, wrong)).outstanding).toEqual([5_000, 800, 100_000]);
  expect(await balanceOf(payments, wrong)).toBe(0);
  for (const store of [right, wrong, wrong, right]) {
    expect(await assign(depositId, store)).toMatchObject({ status: 200 });
    expect((await receivableOf(payments, store)).paid).toBe(true);
    expect(await balanceOf(payments, store)).toBe(4_200);
    expect((await unassign(depositId)).status).toBe(200);
    expect((await receivableOf(payments, store)).paid).toBe(false);
  }
  await assign(depositId, right);

  const { body } = await payments.call(ops(), 'GET', `/v1/admin/deposits/${depositId}`);
  expect(body).toMatchObject({
    status: 'applied',
    cornerStoreId: right.cornerStoreId,
    surplus: 42,
  });
  const of = ({ cornerStoreId }: { cornerStoreId: string }) => [
    { decision: 'assigned', cornerStoreId, reason: null },
    { decision: 'unassigned', cornerStoreId, reason, decidedBy: 'ops' },
  ];
  expect(body.decisions).toMatchObject([
    ...of(wrong).slice(1),
    ...[right, wrong, wrong, right].flatMap(of),
    ...of(right).slice(0, 1),
  ]);
  expect((await decide(depositId, 'reverse', { reason })).body.status).toBe('reversed');
  expect(await balanceOf(payments, right)).toBe(0);
});

it('is refused unless the deposit is applied', async () => {
  const order = await delivered();
  const depositId = await payFor(payments, order, 100);
  expect((await unassign(randomUUID())).body.errorCode).toBe('DEPOSIT_NOT_FOUND');
  expect((await decide(depositId, 'unassign', {})).status).toBe(400);
  expect((await unassign(depositId, wholesaler())).status).toBe(403);
  expect((await unassign(depositId, ops('operator'))).status).toBe(403);
  await unassign(depositId);
  const refused = { status: 422, body: { errorCode: 'DEPOSIT_IS_NOT_ASSIGNED' } };
  expect(await unassign(depositId)).toMatchObject(refused);
  await decide(depositId, 'reverse', { reason });
  expect(await unassign(depositId)).toMatchObject(refused);
});

it('a person’s request waits for a second person, and is stale once the deposit has moved on', async () => {
  const order = await delivered();
  const depositId = await payFor(payments, order, 100);
  const approve = (changeRequestId: string) =>
    payments.handle(
      CHANGE_JOBS.deposit.decided,
      { id: changeRequestId, version: 1 },
      { changeRequestId, depositId, isApproved: true },
    );
  const requested = async () => {
    const { status, body } = await unassign(depositId, ana);
    expect([status, body.status]).toEqual([202, 'pending']);
    return body.changeRequestId as string;
  };
  const first = await requested();
  expect((await receivableOf(payments, order)).version).toBe(2);
  await approve(first);
  await approve(first);
  expect((await receivableOf(payments, order)).version).toBe(3);

  // The same store again: the status is as it was, and yet it is another assignment.
  await assign(depositId, order);
  const second = await requested();
  await unassign(depositId);
  await assign(depositId, order);
  await approve(second);
  const results = await payments.outbox('deposit-change.executed');
  expect(results.map(({ data }) => data)).toEqual([
    { changeRequestId: first },
    { changeRequestId: second, failure: 'STALE' },
  ]);
  expect((await receivableOf(payments, order)).version).toBe(6);
});

it('opens a default again when the debt is past due, and the right store’s closes', async () => {
  const [wrong, right] = [await deliverOverdue(payments), await deliverOverdue(payments)];
  await detect(payments);
  const depositId = await payFor(payments, wrong, 1058);
  await unassign(depositId);
  await assign(depositId, right);
  const countsOf = async (order: typeof wrong) =>
    (await toldOf(payments, order)).map(({ overdueCount }) => overdueCount);
  expect(await countsOf(wrong)).toEqual([1, 0, 1]);
  expect(await countsOf(right)).toEqual([1, 0]);
});

it('its provider gets an event of each state, with a rising version', async () => {
  const watcher = provider('Pagos del Norte');
  await switchEvents(payments, watcher.id, { kind: 'payment-provider' });
  const order = await delivered();
  const { id_factura: idFactura } = await receivableOf(payments, order);
  const notice = depositJson({ idFactura });
  await postDeposit(payments, notice, watcher);
  await untilSettled(payments);
  const [row] = await payments.rows<{ id: string }>(
    'SELECT id FROM deposits WHERE clave_de_pago = $1',
    [notice.claveDePago],
  );
  const id = row?.id ?? '';
  await unassign(id);
  await assign(id, order);
  await decide(id, 'reverse', { reason });
  const events = await eventsOf(
    payments,
    paymentsService.events?.(payments.context.config),
    watcher.id,
  );
  expect(events.map(({ type, data }) => [type, data.version, data.status])).toEqual([
    ['deposit.applied', 3, 'applied'],
    ['deposit.unmatched', 6, 'unmatched'],
    ['deposit.applied', 7, 'applied'],
    ['deposit.reversed', 8, 'reversed'],
  ]);
});

describe('at the same time', () => {
  it('of 20 unassignments of one deposit, one happens', async () => {
    const order = await delivered();
    const depositId = await payFor(payments, order, 1100);
    const answers = await inFlight(Array.from({ length: 20 }, () => () => unassign(depositId)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 422),
    ]);
    expect(await receivableOf(payments, order)).toMatchObject({ version: 3, paid: false });
    expect(await balanceOf(payments, order)).toBe(0);
  });

  it('unassignments, assignments, reversals, deposits and deliveries of two stores keep every sum', async () => {
    const stores = [await delivered(), await delivered()];
    const orders = [...stores];
    const ids: string[] = [];
    for (let count = 0; count < 8; count += 1) {
      ids.push(await payFor(payments, count % 2 === 0 ? stores[0]! : stores[1]!, 400));
    }
    const answers = await inFlight(
      ids.flatMap((id, index) => {
        const { userId, cornerStoreId } = stores[index % 2]!;
        return [
          () => unassign(id),
          () => assign(id, stores[(index + 1) % 2]!),
          () => (index < 4 ? unassign(id) : decide(id, 'reverse', { reason })),
          async () => {
            orders.push(await delivered({ userId, cornerStoreId, principalCents: 10_000 }));
            return unassign(id);
          },
        ];
      }),
    );
    for (const { status } of answers) expect([200, 422]).toContain(status);
    const rows = await Promise.all(orders.map((order) => receivableOf(payments, order)));
    const outstanding = rows.flatMap((row) => row.outstanding).reduce((sum, one) => sum + one, 0);
    const [applied] = await payments.rows<{ cents: number }>(
      `SELECT coalesce(sum(valor_cents), 0)::bigint AS cents FROM deposits
        WHERE status = 'applied' AND id = ANY($1::uuid[])`,
      [ids],
    );
    const balances = await Promise.all(stores.map((store) => balanceOf(payments, store)));
    const owed = 2 * 105_800 + 8 * 15_800;
    expect(outstanding - balances[0]! - balances[1]!).toBe(owed - (applied?.cents ?? 0));
    expect(await brokenInvariants(payments)).toEqual([]);
  });
});
