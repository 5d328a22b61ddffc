import type { Caller } from '@fiado/contracts/caller';
import { ops, provider, wholesaler } from '@fiado/chassis/testing/callers';
import { eventsOf, switchEvents, type PublishedEvent } from '@fiado/chassis/testing/events';
import { forAllTests } from '../../../test/support/for-all-tests';
import { paymentsService } from '../src/service';
import { deliverOverdue, detect, payFor, reverse } from './support/defaults';
import { depositJson, oxxo, postDeposit, untilSettled } from './support/deposit';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

const published = ({ id }: Caller): Promise<PublishedEvent[]> =>
  eventsOf(payments, paymentsService.events?.(payments.context.config), id);

/** A wholesaler that wants events. */
async function watching(): Promise<Caller> {
  const caller = wholesaler();
  await switchEvents(payments, caller.id);
  return caller;
}

const shownPayment = async (caller: Caller, { transactionId }: { transactionId: string }) =>
  (await payments.call(caller, 'GET', `/v1/transaction/${transactionId}/payment`)).body;
const shownDefault = async (caller: Caller) =>
  (await payments.call(caller, 'GET', '/v1/corner-store/default-information')).body
    .paymentDefaults[0];

it('payments, their reversal and defaults are published, each as its GET shows it', async () => {
  const caller = await watching();
  const order = await deliverOverdue(payments, { wholesalerId: caller.id });
  const { transactionId } = order;
  await detect(payments);
  const opened = await shownDefault(caller);
  await payFor(payments, order, 58);
  const partly = await shownPayment(caller, order);
  const depositId = await payFor(payments, order, 1000);
  const paid = await shownPayment(caller, order);
  const closed = await shownDefault(caller);
  await reverse(payments, depositId);
  const owed = await shownPayment(caller, order);
  const reopened = await shownDefault(caller);

  const events = await published(caller);
  // In one statement: which of the two comes first is not promised.
  const ofLastCent = events.splice(2, 2).toSorted((a, b) => a.type.localeCompare(b.type));
  expect(events).toEqual([
    { type: 'default.opened', data: { transactionId, ...opened, version: 1 } },
    { type: 'payment.applied', data: { transactionId, ...partly, version: 2 } },
    { type: 'payment.reversed', data: { transactionId, ...owed, status: 'overdue', version: 4 } },
    { type: 'default.opened', data: { transactionId, ...reopened, version: 1 } },
  ]);
  expect(ofLastCent).toEqual([
    { type: 'default.closed', data: { transactionId, ...closed, version: 2 } },
    { type: 'payment.applied', data: { transactionId, ...paid, version: 3 } },
  ]);
  expect([partly, paid, owed].map(({ amountPaid, status }) => [amountPaid, status])).toEqual([
    [58, 'overdue'],
    [1058, 'paid'],
    [58, 'overdue'],
  ]);
});

it('a provider gets the events of its own deposits, and no other', async () => {
  const watcher = provider('Pagos del Centro');
  await switchEvents(payments, watcher.id, { kind: 'payment-provider' });
  const order = delivery();
  await deliverTransaction(payments, order);
  const notice = depositJson({ valor: 10 });
  for (const caller of [watcher, oxxo]) {
    expect((await postDeposit(payments, notice, caller)).status).toBe(200);
  }
  await untilSettled(payments);
  const shown = async () => {
    const { body } = await payments.call(ops(), 'GET', '/v1/admin/deposits?limit=100');
    return body.deposits.find(
      (deposit: { paymentProvider: string }) => deposit.paymentProvider === watcher.name,
    );
  };
  const moments = [await shown()];
  const { depositId } = moments[0];
  await payments.call(ops(), 'POST', `/v1/admin/deposits/${depositId}/assign`, {
    body: { cornerStoreId: order.cornerStoreId },
  });
  moments.push(await shown());
  await reverse(payments, depositId);
  await reverse(payments, depositId);
  moments.push(await shown());

  const events = await published(watcher);
  expect(events.map(({ type, data }) => [type, data.version])).toEqual([
    ['deposit.unmatched', 2],
    ['deposit.applied', 3],
    ['deposit.reversed', 4],
  ]);
  moments.forEach((moment, i) => expect(moment).toMatchObject(withoutVersion(events[i])));
  expect(await published(oxxo)).toEqual([]);
});

it('nothing is published for an owner without events', async () => {
  const caller = wholesaler();
  const order = await deliverOverdue(payments, { wholesalerId: caller.id });
  await detect(payments);
  await reverse(payments, await payFor(payments, order, 1058));
  expect(await published(caller)).toEqual([]);
});

it('a rolled back change is not published', async () => {
  const caller = await watching();
  const order = await deliverOverdue(payments, { wholesalerId: caller.id });
  await expect(
    payments.context.db.transaction(async (tx) => {
      await tx.connection.query(
        `UPDATE receivables SET paid_principal_cents = 1, version = 2 WHERE transaction_id = $1`,
        [order.transactionId],
      );
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(await published(caller)).toEqual([]);
});

function withoutVersion(event: PublishedEvent | undefined): object {
  const { version: _version, ...data } = event?.data ?? {};
  return data;
}
