import { randomUUID } from 'node:crypto';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { ops, provider } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { plainReference } from '../src/debts/payment-reference.rules';
import { depositJson, type DepositJson, oxxo, postDeposit, untilSettled } from './support/deposit';
import { balanceOf, deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

/** A debt of 1,068 pesos, and a deposit of half of it. */
async function debt() {
  const order = delivery();
  await deliverTransaction(payments, order);
  const { id_factura: idFactura, numero_referencia: numeroReferencia } = await receivableOf(
    payments,
    order,
  );
  return { order, sent: depositJson({ idFactura, numeroReferencia, valor: 529 }) };
}

async function settled(bodies: DepositJson[], caller = oxxo) {
  await inFlight(
    bodies.map((body) => async () => {
      expect((await postDeposit(payments, body, caller)).status).toBe(200);
    }),
  );
  await untilSettled(payments);
  return payments.rows(
    `SELECT id, status, unmatched_reason AS reason, possible_duplicate_of AS "duplicateOf"
       FROM deposits WHERE clave_de_pago = ANY($1) ORDER BY status, received_at`,
    [bodies.map(({ claveDePago }) => claveDePago)],
  );
}

const again = (body: DepositJson, changes: Partial<DepositJson> = {}): DepositJson => ({
  ...body,
  claveDePago: randomUUID(),
  ...changes,
});

it('a payment reported under two keys is applied once, and the second waits, linked to the first', async () => {
  const { order, sent } = await debt();
  const [first] = await settled([sent]);
  const spelled = `${sent.numeroReferencia.slice(0, 4)}-${sent.numeroReferencia.slice(4)} `;
  const [second] = await settled([again(sent, { numeroReferencia: spelled })]);

  expect(first).toMatchObject({ status: 'applied', duplicateOf: null });
  expect(second).toMatchObject({
    status: 'unmatched',
    reason: 'possible-duplicate',
    duplicateOf: first?.id,
  });
  const shown = await payments.call(ops('viewer'), 'GET', `/v1/admin/deposits/${second?.id}`);
  expect(shown.body).toMatchObject({
    reason: 'possible-duplicate',
    possibleDuplicateOf: first?.id,
  });

  const assigned = await payments.call(
    ops('operator'),
    'POST',
    `/v1/admin/deposits/${second?.id}/assign`,
    { body: { cornerStoreId: order.cornerStoreId } },
  );
  expect([assigned.status, assigned.body.status]).toEqual([200, 'applied']);
});

it.each<[string, (sent: DepositJson) => Partial<DepositJson>]>([
  ['an en dash', ({ idFactura }) => ({ idFactura: idFactura.replace(/^\d{4}/, '$&\u2013') })],
  [
    'a space that does not break',
    ({ idFactura }) => ({ idFactura: `\u00a0${idFactura.slice(0, 4)}\u00a0${idFactura.slice(4)}` }),
  ],
  ['leading zeros', ({ numeroReferencia }) => ({ numeroReferencia: `00${numeroReferencia}` })],
  [
    'the references in the other fields',
    ({ idFactura, numeroReferencia }) => ({
      idFactura: numeroReferencia,
      numeroReferencia: idFactura,
    }),
  ],
])('a payment reported again with %s waits', async (_what, spelled) => {
  const { sent } = await debt();
  const [first] = await settled([sent]);
  expect(await settled([again(sent, spelled(sent))])).toMatchObject([
    { status: 'unmatched', reason: 'possible-duplicate', duplicateOf: first?.id },
  ]);
});

// Later versions of Unicode add dashes beyond U+FFFF.
it('SQL reads a reference as plainReference does, whatever mark is in it', async () => {
  const marks = Array.from({ length: 0x10_000 }, (_, code) => code)
    .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code))
    .filter((mark) => plainReference(`1${mark}2`) === '12');
  const left = await payments.rows(
    `SELECT mark FROM unnest($1::text[]) mark WHERE reference_read('1' || mark || '2') <> '12'`,
    [marks],
  );
  expect([marks.length > 60, left]).toEqual([true, []]);
});

it('ten reports of one payment at the same moment are applied once', async () => {
  const { sent } = await debt();
  const rows = await settled(Array.from({ length: 10 }, () => again(sent)));
  const [first, ...others] = rows;
  expect(first).toMatchObject({ status: 'applied', duplicateOf: null });
  expect(others).toEqual(
    others.map(() => expect.objectContaining({ status: 'unmatched', duplicateOf: first?.id })),
  );
});

it.each([
  [
    'at another time of the day',
    { fechaPago: '2026-11-21 11:00:00.000' },
    '2026-11-21 10:00:00.000',
  ],
  ['without a time of day', {}, '2026-11-21 00:00:00.000'],
])('the same payment %s is applied and pointed out', async (_when, changes, fechaPago) => {
  const { order, sent } = await debt();
  const [first] = await settled([{ ...sent, fechaPago }]);
  const [second] = await settled([again({ ...sent, fechaPago }, changes)]);

  expect(second).toMatchObject({ status: 'applied', duplicateOf: first?.id });
  const list = await payments.call(ops('viewer'), 'GET', '/v1/admin/deposits?limit=1');
  expect(list.body.deposits).toMatchObject([{ possibleDuplicateOf: first?.id, reason: null }]);
  expect(await balanceOf(payments, order)).toBeDefined();
});

it('another provider, amount, reference or day, and a deposit after a reversed one, is another payment', async () => {
  const { sent } = await debt();
  const [first] = await settled([sent]);
  const { sent: ofOther } = await debt();
  const rows = [
    ...(await settled([again(sent, { valor: 528.99 })])),
    ...(await settled([again(sent, { fechaPago: sent.fechaPago.replace('-20 ', '-21 ') })])),
    ...(await settled([again(sent, { idFactura: ofOther.idFactura, numeroReferencia: '' })])),
    ...(await settled([again(sent)], provider('Banco del Norte'))),
  ];
  expect(rows.map(({ status, duplicateOf }) => [status, duplicateOf])).toEqual(
    rows.map(() => ['applied', null]),
  );

  await payments.rows(`UPDATE deposits SET status = 'reversed' WHERE id = $1`, [first?.id]);
  expect(await settled([again(sent)])).toMatchObject([{ status: 'applied', duplicateOf: null }]);
});
