import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { depositJson, postDeposit, untilSettled, type DepositJson } from './support/deposit';
import { balanceOf, deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

const users = Array.from({ length: 5 }, () => ({
  userId: randomUUID(),
  cornerStoreId: randomUUID(),
}));
const [first, , , , fifth] = users;

// Digits of the numbers 1 to 7 and their Luhn digit, which ignores leading zeros.
const NUMBERS = ['18', '26', '34', '42', '59', '67', '75'];
const idFacturaOf = (number: number): string => NUMBERS[number - 1]?.padStart(13, '0') ?? '';
const numeroReferenciaOf = (number: number): string => NUMBERS[number - 1]?.padStart(12, '0') ?? '';

// The references of an earlier release: users 1 to 4 have the invoices 1 to 4, user 1 also 5 and 7,
// and user 5 invoice 6. So invoice 1 and customer 1 are one user's, and invoice 5 and customer 5 are
// two users'.
beforeAll(async () => {
  for (const [index, user] of [...users.slice(0, 4), first, fifth, first].entries()) {
    const order = delivery(user);
    await deliverTransaction(payments, order);
    await payments.rows('UPDATE receivables SET id_factura = $2 WHERE transaction_id = $1', [
      order.transactionId,
      idFacturaOf(index + 1),
    ]);
  }
  for (const [index, { userId }] of users.entries()) {
    await payments.rows('UPDATE credit_balances SET numero_referencia = $2 WHERE user_id = $1', [
      userId,
      numeroReferenciaOf(index + 1),
    ]);
  }
});

function shortened(reference: string): string {
  return reference.replace(/^0+/, '');
}

/** Posts a deposit and waits for what becomes of it. */
async function outcomeOf(references: Partial<DepositJson>): Promise<Record<string, unknown>> {
  const body = depositJson({ ...references, valor: 1 });
  expect(await postDeposit(payments, body)).toMatchObject({ status: 200, body: { success: true } });
  await untilSettled(payments);
  const [row] = await payments.rows(
    `SELECT status, user_id AS "userId", unmatched_reason AS reason,
            (SELECT r.id_factura FROM allocations a JOIN receivables r ON r.id = a.receivable_id
              WHERE a.deposit_id = d.id) AS paid
       FROM deposits d WHERE clave_de_pago = $1`,
    [body.claveDePago],
  );
  return row ?? {};
}

const appliedTo = (user: typeof first) => ({
  status: 'applied',
  userId: user?.userId,
  reason: null,
});
const ambiguous = { status: 'unmatched', userId: null, reason: 'ambiguous' };
const unknown = { status: 'unmatched', userId: null, reason: 'unknown' };

describe('the references of a deposit', () => {
  it.each([
    ['a full idFactura', idFacturaOf(5), '', appliedTo(first)],
    ['a full numeroReferencia', '', numeroReferenciaOf(5), appliedTo(fifth)],
    [
      'a full idFactura with another user’s numeroReferencia',
      idFacturaOf(6),
      numeroReferenciaOf(1),
      ambiguous,
    ],
    ['two full idFacturas of two users', idFacturaOf(6), idFacturaOf(7), ambiguous],
    [
      'two full numeroReferencias of two users',
      numeroReferenciaOf(5),
      numeroReferenciaOf(1),
      ambiguous,
    ],
    ['a full idFactura in both fields', idFacturaOf(7), idFacturaOf(7), appliedTo(first)],
    [
      'a full idFactura with its own user’s numeroReferencia',
      idFacturaOf(7),
      numeroReferenciaOf(1),
      appliedTo(first),
    ],
    [
      'a full numeroReferencia with a shortened idFactura',
      shortened(idFacturaOf(2)),
      numeroReferenciaOf(5),
      appliedTo(fifth),
    ],
    [
      'a full numeroReferencia with an unknown idFactura',
      '9999999999993',
      numeroReferenciaOf(5),
      appliedTo(fifth),
    ],
    ['a shortened idFactura of one user', shortened(idFacturaOf(7)), '', appliedTo(first)],
    ['a reference with more zeros', `000${idFacturaOf(7)}`, '', appliedTo(first)],
    [
      'one short text that is one user’s invoice and customer',
      shortened(idFacturaOf(1)),
      '',
      appliedTo(first),
    ],
    ['an idFactura in the place of numeroReferencia', 'tienda', idFacturaOf(7), appliedTo(first)],
    ['both in each other’s place', numeroReferenciaOf(1), idFacturaOf(7), appliedTo(first)],
    ['a short text that is two users’', shortened(idFacturaOf(5)), '', ambiguous],
    ['the same text in the other field', '', shortened(numeroReferenciaOf(5)), ambiguous],
    ['a swapped numeroReferencia that is also an invoice', numeroReferenciaOf(5), '', ambiguous],
    ['a swapped idFactura that is also a customer', '', idFacturaOf(5), ambiguous],
    [
      'two short texts of two users',
      shortened(idFacturaOf(6)),
      shortened(idFacturaOf(7)),
      ambiguous,
    ],
    ['no text at all', '', '', unknown],
    ['zeros alone', '0', '000000000000', unknown],
    ['a wrong check digit', '58', '58', unknown],
    ['a text with words', 'abarrotes ñandú 🦤', ' - ', unknown],
  ])('%s', async (_name, idFactura, numeroReferencia, expected) => {
    expect(await outcomeOf({ idFactura, numeroReferencia })).toMatchObject(expected);
  });

  it('a swapped or shortened idFactura pays its own receivable first', async () => {
    const seventh = idFacturaOf(7);
    for (const references of [
      { idFactura: shortened(seventh) },
      { numeroReferencia: seventh },
      { idFactura: numeroReferenciaOf(1), numeroReferencia: seventh },
    ]) {
      expect(await outcomeOf(references)).toMatchObject({ paid: seventh });
    }
  });

  it('ops sees why a deposit is unmatched, and it can be assigned', async () => {
    const body = depositJson({ idFactura: shortened(idFacturaOf(5)), numeroReferencia: '' });
    await postDeposit(payments, body);
    await untilSettled(payments);
    const list = await payments.call(ops(), 'GET', '/v1/admin/deposits?status=unmatched&limit=1');
    const [listed] = list.body.deposits as { depositId: string }[];
    expect(listed).toMatchObject({
      claveDePago: body.claveDePago,
      numeroReferencia: '',
      reason: 'ambiguous',
    });
    const path = `/v1/admin/deposits/${listed?.depositId}/assign`;
    const assigned = await payments.call(ops(), 'POST', path, {
      body: { cornerStoreId: fifth?.cornerStoreId },
    });
    expect(assigned).toMatchObject({ status: 200, body: { status: 'applied', reason: null } });
  });
});

describe('a deposit above the ceiling', () => {
  const rowOf = async (claveDePago: string) => {
    const [row] = await payments.rows(
      'SELECT status, unmatched_reason AS reason FROM deposits WHERE clave_de_pago = $1',
      [claveDePago],
    );
    return row;
  };
  const waits = { status: 'unmatched', reason: 'above-ceiling' };
  const applied = { status: 'applied', reason: null };

  // 10,000 pesos, and three times what is owed, which is 58 pesos more than the principal.
  it.each([
    ['of the fixed amount alone', 1_000, 10_000, applied],
    ['of both by a cent', 1_000, 10_000.01, waits],
    ['of the fixed amount alone, where much is owed', 5_000, 15_174, applied],
    ['of both by a cent, where much is owed', 5_000, 15_174.01, waits],
  ])('%s', async (_name, principal, valor, expected) => {
    const order = delivery({ principalCents: principal * 100 });
    await deliverTransaction(payments, order);
    const { id_factura: idFactura } = await receivableOf(payments, order);
    const body = depositJson({ idFactura, valor });
    expect((await postDeposit(payments, body)).body).toEqual({
      success: true,
      depositId: expect.any(String),
      repeated: false,
    });
    await untilSettled(payments);

    expect(await rowOf(body.claveDePago)).toEqual(expected);
  });

  it('changes nothing until ops assigns it', async () => {
    const order = delivery();
    await deliverTransaction(payments, order);
    const { numero_referencia: numeroReferencia } = await receivableOf(payments, order);
    const body = depositJson({ numeroReferencia, valor: 50_000 });
    await postDeposit(payments, body);
    await untilSettled(payments);
    expect(await receivableOf(payments, order)).toMatchObject({ version: 1, paid: false });
    const list = await payments.call(ops(), 'GET', '/v1/admin/deposits?status=unmatched&limit=1');
    expect(list.body.deposits).toMatchObject([{ valor: 50_000, reason: 'above-ceiling' }]);

    const path = `/v1/admin/deposits/${list.body.deposits[0].depositId}/assign`;
    const { cornerStoreId } = order;
    await payments.call(ops(), 'POST', path, { body: { cornerStoreId } });
    expect(await receivableOf(payments, order)).toMatchObject({ paid: true });
    expect(await balanceOf(payments, order)).toBe(5_000_000 - 105_800);
  });
});
