import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/shared/testing/callers';
import { idFacturaOf, numeroReferenciaOf } from '../src/domain/payment-reference';
import { depositJson, postDeposit, untilSettled, type DepositJson } from './support/deposit';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments, type PaymentsService } from './support/service';

let payments: PaymentsService;

const users = Array.from({ length: 5 }, () => ({
  userId: randomUUID(),
  cornerStoreId: randomUUID(),
}));
const [first, , , , fifth] = users;

// Users 1 to 4 get the invoices 1 to 4, user 1 also 5 and 7, and user 5 invoice 6. So invoice 1 and
// customer 1 are one user's, and invoice 5 and customer 5 are two users'.
beforeAll(async () => {
  payments = await startPayments();
  for (const user of [...users.slice(0, 4), first, fifth, first]) {
    await deliverTransaction(payments, delivery(user));
  }
});
afterAll(() => payments.stop());

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
      'a full idFactura beside another user’s numeroReferencia',
      idFacturaOf(6),
      numeroReferenciaOf(1),
      appliedTo(fifth),
    ],
    [
      'a full numeroReferencia beside a shortened idFactura',
      shortened(idFacturaOf(2)),
      numeroReferenciaOf(5),
      appliedTo(fifth),
    ],
    [
      'a full numeroReferencia beside an unknown idFactura',
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
