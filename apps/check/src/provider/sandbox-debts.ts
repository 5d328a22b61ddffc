import { cents, type Fiado } from '@fiado/client';
import type { Debt, Debts } from './debts';

const CREDIT_LIMIT = 100_000;
/** A second effect of a deposit would show by then. */
const POLL_MS = 700;

/** Debts that a wholesaler of the sandbox makes when they are needed. */
export function sandboxDebts(fiado: Fiado): Debts {
  const transactionIds = new Map<string, string>();
  return {
    pollMs: POLL_MS,
    newCustomer: async () => {
      const customer = { status: 'approved', creditLimit: CREDIT_LIMIT } as const;
      const { cornerStoreId } = await fiado.sandbox.createCustomer(customer);
      const nextDebt = async (): Promise<Debt> => {
        const transactionId = await deliverOrder(fiado, cornerStoreId);
        const payment = await fiado.payments.get(transactionId);
        const { idFactura, numeroReferencia, amountDue } = payment;
        transactionIds.set(idFactura, transactionId);
        return { idFactura, numeroReferencia, dueCents: cents(amountDue) };
      };
      return { nextDebt };
    },
    read: async ({ idFactura }) => {
      const payment = await fiado.payments.get(transactionIds.get(idFactura) ?? '');
      return { paidCents: cents(payment.amountPaid), leftCents: cents(payment.amountDue) };
    },
  };
}

async function deliverOrder(fiado: Fiado, cornerStoreId: string): Promise<string> {
  const products = [{ externalSKU: 'CHECK-1', name: 'Prueba', quantity: 1 }];
  const order = await fiado.transactions.create({ cornerStoreId, totalAmount: 1_000, products });
  const { transactionId, verificationId } = order;
  const code = await fiado.sandbox.code(verificationId);
  await fiado.transactions.confirm(transactionId, verificationId, { errorCode: code });
  const delivery = { status: 'delivery', transactionAmount: 1_000 } as const;
  await fiado.transactions.deliver(transactionId, delivery);
  return transactionId;
}
