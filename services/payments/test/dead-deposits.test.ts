import { Client } from 'pg';
import { service } from '@fiado/chassis/testing/callers';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { until } from '@fiado/chassis/testing/until';
import { paymentApplied } from '@fiado/contracts/jobs/debts';
import { brokenInvariants } from './support/defaults';
import { depositJson, hurryDeposits, postDeposit, untilSettled } from './support/deposit';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments, type PaymentsService } from './support/service';

/** The amount that a defect of this test makes fail, in pesos. */
const POISONED = 666.13;

let payments: PaymentsService;
let owner: Client;
beforeAll(async () => {
  payments = await startPayments();
  owner = new Client({ connectionString: payments.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await payments.stop();
});

interface DepositRow {
  id: string;
  status: string;
  attempts: number;
  last_error: string | null;
  dead: boolean;
}

async function depositUnder(claveDePago: string): Promise<DepositRow> {
  const [row] = await payments.rows<DepositRow>(
    `SELECT id, status, attempts, last_error, dead_at IS NOT NULL AS dead
       FROM deposits WHERE clave_de_pago = $1`,
    [claveDePago],
  );
  if (row === undefined) throw new Error('The deposit is not stored');
  return row;
}

const asNotifier = (path: string, body: object) =>
  payments.call(service('notifier'), 'POST', `/internal/dead-letters/${path}`, { body });

describe('a deposit that cannot be applied', () => {
  it('is a dead letter, stops no other, and is applied when ops retries it', async () => {
    await owner.query(
      `ALTER TABLE payments.deposits ADD CONSTRAINT poisoned
         CHECK (valor_cents <> ${POISONED * 100} OR status = 'received')`,
    );
    const order = delivery();
    await deliverTransaction(payments, order);
    const { id_factura: idFactura } = await receivableOf(payments, order);
    const poisoned = depositJson({ idFactura, valor: POISONED });
    const others = Array.from({ length: 10 }, () => depositJson({ idFactura, valor: 1 }));
    for (const body of [poisoned, ...others]) await postDeposit(payments, body);
    await until('the others are applied', async () => {
      const rows = await payments.rows(
        `SELECT FROM deposits WHERE clave_de_pago = ANY($1) AND status = 'applied'`,
        [others.map(({ claveDePago }) => claveDePago)],
      );
      return rows.length === others.length;
    });
    await until('it is dead', async () => {
      await hurryDeposits(payments);
      return (await depositUnder(poisoned.claveDePago)).dead;
    });

    const { id: jobId, ...dead } = await depositUnder(poisoned.claveDePago);
    expect(dead).toMatchObject({ status: 'received', attempts: 8 });
    expect(dead.last_error).toContain('poisoned');
    const { body } = await asNotifier('rows', { start: 0, count: 10 });
    expect(body.rows).toEqual([
      {
        jobId,
        type: 'apply-deposit',
        attempts: 8,
        failedReason: dead.last_error,
        createdAt: expect.any(String),
        failedAt: expect.any(String),
      },
    ]);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const figures = await payments.call(service('accounts'), 'POST', '/internal/ops-figures', {
      body: { since },
    });
    expect(figures.body.deadJobs).toBe(1);

    await owner.query('ALTER TABLE payments.deposits DROP CONSTRAINT poisoned');
    const retry = (which: object) => asNotifier('retry', { queue: 'payments', ...which });
    expect((await retry({ queue: 'accounts' })).body.retried).toEqual([]);
    expect((await retry({ type: 'payment.applied' })).body.retried).toEqual([]);
    expect((await retry({ jobId })).body).toEqual({
      retried: [{ jobId, type: 'apply-deposit', createdAt: expect.any(String) }],
      next: null,
    });
    await untilSettled(payments);
    expect(await depositUnder(poisoned.claveDePago)).toMatchObject({
      status: 'applied',
      attempts: 1,
      last_error: null,
      dead: false,
    });
    expect((await asNotifier('rows', { start: 0, count: 10 })).body.rows).toEqual([]);
    expect(await brokenInvariants(payments)).toEqual([]);
  });
});

describe('a deposit of a process that was killed', () => {
  it('after its commit and before any round is applied by another process', async () => {
    const body = depositJson();
    // Nothing wakes the loop: who stored it is gone.
    const wake = jest.spyOn(payments.context.depositWorker, 'wake').mockReturnValue();
    await postDeposit(payments, body);
    wake.mockRestore();
    await untilSettled(payments);
    expect(await depositUnder(body.claveDePago)).toMatchObject({
      status: 'unmatched',
      attempts: 1,
    });
  });
});

it('two instances apply each deposit once', async () => {
  const order = delivery();
  await deliverTransaction(payments, order);
  const { id_factura: idFactura } = await receivableOf(payments, order);
  const other = await payments.startOther({});
  try {
    const bodies = Array.from({ length: 40 }, () => depositJson({ idFactura, valor: 1 }));
    await inFlight(
      bodies.map((body, n) => async () => {
        const instance = n % 2 === 0 ? payments : { ...payments, call: other.call };
        expect((await postDeposit(instance, body)).status).toBe(200);
      }),
    );
    await untilSettled(payments);
    const keys = bodies.map(({ claveDePago }) => claveDePago);
    expect(
      await payments.rows(
        'SELECT status, count(*)::int FROM deposits WHERE clave_de_pago = ANY($1) GROUP BY 1',
        [keys],
      ),
    ).toEqual([{ status: 'applied', count: 40 }]);
    const events = (await payments.outbox(paymentApplied.type)).filter(
      ({ data }) => 'transactionId' in data && data.transactionId === order.transactionId,
    );
    expect(events).toHaveLength(40);
  } finally {
    await other.stop();
  }
});
