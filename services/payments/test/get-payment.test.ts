import { randomUUID } from 'node:crypto';
import { catalogue } from '@fiado/contracts/error-catalogue';
import type { TransactionDelivered } from '@fiado/contracts/jobs/debts';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import type { Answer } from '@fiado/chassis/testing/call';
import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { deposit } from './support/deposit';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments, type PaymentsService } from './support/service';

let payments: PaymentsService;
let transactions: StandIn;
/** What transactions knows, by id: what was delivered, or null for an order that is not yet. */
const known = new Map<string, { wholesalerId: string; delivered: TransactionDelivered | null }>();
const clock = { now: () => new Date('2026-11-30T12:00:00.000Z') };

beforeAll(async () => {
  transactions = await startStandIn(({ path, body }) => {
    const { transactionId, wholesalerId } = JSON.parse(body) as Record<string, string>;
    const found = known.get(transactionId ?? '');
    const isOwn = path === '/internal/delivered-transaction' && found !== undefined;
    if (isOwn && found.wholesalerId === wholesalerId) {
      return { body: { delivered: found.delivered } };
    }
    const { title } = catalogue.TRANSACTION_NOT_FOUND;
    return { status: 404, body: { errorCode: 'TRANSACTION_NOT_FOUND', errorMessage: title } };
  });
  payments = await startPayments({ config: { TRANSACTIONS_URL: transactions.url }, clock });
});
afterAll(async () => {
  await payments.stop();
  await transactions.stop();
});

function getPayment(transactionId: string, wholesalerId: string): Promise<Answer> {
  return payments.call(wholesaler(wholesalerId), 'GET', `/v1/transaction/${transactionId}/payment`);
}

describe('GET /transaction/{transactionId}/payment', () => {
  it('returns the payment reference, the amount due and the amount paid', async () => {
    const order = delivery();
    await deliverTransaction(payments, order);
    const { id_factura: idFactura } = await receivableOf(payments, order);

    const pending = await getPayment(order.transactionId, order.wholesalerId);
    expect(pending.status).toBe(200);
    expect(pending.body).toEqual({
      idFactura,
      numeroReferencia: expect.stringMatching(/^\d{12}$/),
      amountDue: 1058,
      amountPaid: 0,
      paymentDate: '2026-12-05T05:59:59.999Z',
      paymentTimeZone: 'America/Mexico_City',
      status: 'pending',
    });

    await deposit(payments, { idFactura, valor: 58.25 });
    const part = await getPayment(order.transactionId, order.wholesalerId);
    expect(part.body).toMatchObject({ amountDue: 999.75, amountPaid: 58.25, status: 'pending' });

    await deposit(payments, { idFactura, valor: 999.75 });
    const whole = await getPayment(order.transactionId.toUpperCase(), order.wholesalerId);
    expect(whole.body).toMatchObject({ amountDue: 0, amountPaid: 1058, status: 'paid' });
  });

  it('is overdue after the last moment to pay', async () => {
    const order = delivery({ dueAt: '2026-11-30T11:59:59.999Z' });
    await deliverTransaction(payments, order);
    const answer = await getPayment(order.transactionId, order.wholesalerId);
    expect(answer.body).toMatchObject({ status: 'overdue' });
  });

  it('calls transactions before the event has arrived, and the event then changes nothing', async () => {
    const order = delivery();
    const { transactionId, wholesalerId } = order;
    known.set(transactionId, { wholesalerId, delivered: order });

    const answers = await inFlight(
      Array.from({ length: 20 }, () => () => getPayment(transactionId, wholesalerId)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({ amountDue: 1058, status: 'pending' });
    await deliverTransaction(payments, order);
    expect(await receivableOf(payments, order)).toMatchObject({ version: 1 });
  });

  it('is RECEIVABLE_NOT_FOUND before the delivery', async () => {
    const [transactionId, wholesalerId] = [randomUUID(), randomUUID()];
    known.set(transactionId, { wholesalerId, delivered: null });
    const answer = await getPayment(transactionId, wholesalerId);
    expect(answer).toMatchObject({ status: 404, body: { errorCode: 'RECEIVABLE_NOT_FOUND' } });
  });

  it('is TRANSACTION_NOT_FOUND for an unknown, a foreign and a malformed id', async () => {
    const opened = delivery();
    await deliverTransaction(payments, opened);
    const foreign = delivery();
    const { transactionId, wholesalerId } = foreign;
    known.set(transactionId, { wholesalerId, delivered: foreign });

    for (const id of [
      randomUUID(),
      opened.transactionId,
      foreign.transactionId,
      'no-uuid',
      '%00',
    ]) {
      const answer = await getPayment(id, randomUUID());
      expect(answer).toMatchObject({ status: 404, body: { errorCode: 'TRANSACTION_NOT_FOUND' } });
    }
  });

  it('is SERVICE_UNAVAILABLE only for unknown deliveries while transactions is unavailable', async () => {
    const away = await startPayments({ config: { TRANSACTIONS_URL: 'http://127.0.0.1:9' } });
    try {
      const order = delivery();
      await deliverTransaction(away, order);
      const path = (id: string): string => `/v1/transaction/${id}/payment`;
      const caller = wholesaler(order.wholesalerId);
      expect((await away.call(caller, 'GET', path(order.transactionId))).status).toBe(200);
      expect(await away.call(caller, 'GET', path(randomUUID()))).toMatchObject({
        status: 503,
        body: { errorCode: 'SERVICE_UNAVAILABLE' },
      });
    } finally {
      await away.stop();
    }
  });
});
