import { randomUUID } from 'node:crypto';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import { recordDeposit } from '../../../services/payments/src/deposits/record-deposit';
import { createCreditNote } from '../../../services/transactions/src/credit-notes/create-credit-note';
import { confirmOrder } from '../../../services/transactions/src/codes/confirm-order';
import { createOrder } from '../../../services/transactions/src/orders/create-order';
import { deliverOrder } from '../../../services/transactions/src/deliveries/deliver-order';
import type { System } from '../system/system';
import { deliverOutboxes } from './deliver-outboxes';

const PROVIDER = randomUUID();
/** Each deposit has its own time: two at one time may be one payment. */
let paidAtMs = 0;
export const PRODUCTS = [
  { externalSKU: 'REF-600', name: 'Refresco', quantity: 12 },
  { externalSKU: 'PAN-1', name: 'Pan', quantity: 3 },
];

/**
 * What corner stores and a payment provider do, each with all that comes of it.
 * @param north the wholesaler that is meant where none is named
 */
export function createActions(system: System, north: string) {
  const { transactions, payments } = system;
  const none = () => undefined;
  const codes = new Map<string, string>();
  const settle = () => deliverOutboxes(system, codes);
  const order = async (store: { cornerStoreId: string }, amountCents: number, by = north) => {
    const command = {
      wholesalerId: by,
      cornerStoreId: store.cornerStoreId,
      amountCents,
      wholesalerTransactionId: undefined,
      deliveryDate: undefined,
      products: PRODUCTS,
      metadata: undefined,
      sendCode: 'now' as const,
    };
    const { transactionId, verificationId: codeId } = await createOrder(
      transactions,
      command,
      none,
    );
    await settle();
    return { transactionId, verificationId: codeId };
  };
  const onHold = async (store: { cornerStoreId: string }, amountCents: number): Promise<string> => {
    const { transactionId, verificationId: codeId } = await order(store, amountCents);
    const code = codes.get(transactionId) ?? '';
    const ids = { wholesalerId: north, transactionId, verificationId: codeId };
    await confirmOrder(transactions, { ...ids, code }, none);
    return transactionId;
  };
  const delivered = async (store: { cornerStoreId: string }, cents: number): Promise<string> => {
    const transactionId = await onHold(store, cents);
    const delivery = { amountCents: cents, deliveryWord: undefined, location: undefined };
    const command = { wholesalerId: north, transactionId, asked: delivery };
    await deliverOrder(transactions, command, none);
    await settle();
    return transactionId;
  };
  const deposit = async (
    valorCents: number,
    { idFactura = 'sin', numeroReferencia = 'referencia' },
  ): Promise<string> => {
    const claveDePago = randomUUID();
    const fechaPago = `2026-03-02 10:00:00.${String((paidAtMs += 1)).padStart(3, '0')}`;
    const texts = { idFactura, numeroReferencia, fechaPago, claveDePago };
    const notice = {
      ...texts,
      valorCents,
      paymentProviderId: PROVIDER,
      providerName: 'OXXO Pay',
      paidAt: new Date('2026-03-02T16:00:00Z'),
      isSigned: true,
      body: JSON.stringify({ ...texts, valor: valorCents / 100 }),
    };
    await recordDeposit(payments, notice, none);
    await settle();
    return one(system, 'SELECT id FROM payments.deposits WHERE clave_de_pago = $1', claveDePago);
  };
  const credited = async (transactionId: string, amountCents: number): Promise<string> => {
    const credit = { amountCents, reason: 'return', reference: null } as const;
    const command = { wholesalerId: north, transactionId, credit };
    const note = await createCreditNote(transactions, command, none);
    if (note instanceof ChangeRequested) throw new Error('No statement of it is paid');
    await settle();
    return note.id;
  };
  const idFacturaOf = (transactionId: string): Promise<string> =>
    one(
      system,
      'SELECT id_factura AS id FROM payments.receivables WHERE transaction_id = $1',
      transactionId,
    );
  const referenceOf = ({ userId }: { userId: string }): Promise<string> =>
    one(
      system,
      'SELECT numero_referencia AS id FROM payments.credit_balances WHERE user_id = $1',
      userId,
    );
  return { settle, order, onHold, delivered, deposit, credited, idFacturaOf, referenceOf };
}

async function one({ database }: System, statement: string, value: string): Promise<string> {
  const { rows } = await database.owner.query<{ id: string }>(statement, [value]);
  return rows[0]?.id ?? '';
}
