import { ops, service } from '@fiado/chassis/testing/callers';
import { pagesRead } from '@fiado/chassis/testing/pages-read';
import { TEST_TIMING } from '@fiado/chassis/testing/timing';
import { Client } from 'pg';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments, type PaymentsService } from './support/service';

/** Of each status: more than are counted for the totals. */
const DEPOSITS = 11_000;
/** A page of 5 deposits reads each of them and the way to it in an index. */
const FEW_PAGES = 100;
const LONGER_THAN_THE_TEST_MS = 3_600_000;
/** One an hour. Of the first ten, half came from a provider that has sent none since. Nobody owns unmatched ones. */
const WRITE_DEPOSITS = `
  INSERT INTO payments.deposits
    (id, payment_provider_id, provider_name, id_factura, numero_referencia, valor_cents,
     fecha_pago, paid_at, clave_de_pago, body_hash, body, status, user_id, received_at)
  SELECT gen_random_uuid(), gen_random_uuid(),
         CASE WHEN n <= 10 AND n % 2 = 0 THEN 'Cobros Viejos' ELSE 'Pagos del Centro' END, n, n,
         100, now(), now(), n, sha256(n::text::bytea), '{}', $2,
         CASE $2 WHEN 'applied' THEN gen_random_uuid() END, now() - make_interval(hours => $1 - n)
    FROM generate_series(1, $1::int) n`;

let payments: PaymentsService;
beforeAll(async () => {
  // The gauge of unmatched deposits counts them, and would be measured with a request.
  payments = await startPayments({ timing: { ...TEST_TIMING, sample: LONGER_THAN_THE_TEST_MS } });
  const owner = new Client({
    connectionString: payments.ownerUrl,
    options: '-c session_replication_role=replica',
  });
  await owner.connect();
  try {
    await owner.query(WRITE_DEPOSITS, [DEPOSITS, 'applied']);
    await owner.query(WRITE_DEPOSITS, [DEPOSITS, 'unmatched']);
    await owner.query('VACUUM (ANALYZE) payments.deposits');
  } finally {
    await owner.end();
  }
});
afterAll(() => payments.stop());

it.each([
  ['the newest', 'Pagos del Centro', 5],
  ['those of a provider that sends none any more', 'Cobros Viejos', 5],
  ['those of a provider that sent none', 'Nadie', 0],
])('%s cost the same, however many deposits there are', async (_, provider, count) => {
  const { context, ownerUrl } = payments;
  const path = `/v1/admin/deposits?limit=5&paymentProvider=${encodeURIComponent(provider)}`;
  const pages = await pagesRead({ db: context.db, ownerUrl, schema: 'payments' }, async () => {
    const { body } = await payments.call(ops('viewer'), 'GET', path);
    expect(body.deposits).toHaveLength(count);
  });
  expect(pages).toBeLessThan(FEW_PAGES);
});

it('the totals are of the first 10,000 deposits, so that they have a bound', async () => {
  const totals = async (query: string) => {
    const path = `/v1/admin/deposits?limit=1&totals=true${query}`;
    return (await payments.call(ops('viewer'), 'GET', path)).body.totals;
  };
  const all = { count: 10_000, amount: 10_000, hasMore: true };
  expect(await totals('&status=unmatched')).toEqual(all);
  expect(await totals('&paymentProvider=Nadie')).toEqual({ count: 0, amount: 0, hasMore: true });
});

it('the account of a store looks for deposits of its owner alone, unmatched ones too', async () => {
  const order = delivery();
  await deliverTransaction(payments, order);
  const { context, ownerUrl } = payments;
  const pages = await pagesRead({ db: context.db, ownerUrl, schema: 'payments' }, async () => {
    const { body } = await payments.call(
      service('accounts'),
      'POST',
      '/internal/corner-store-debts',
      { body: { cornerStoreId: order.cornerStoreId } },
    );
    expect(body).toMatchObject({ openDebts: 1, lastMoneyAt: expect.any(String) });
  });
  expect(pages).toBeLessThan(FEW_PAGES);
});
