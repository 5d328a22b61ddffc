import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { cents, Fiado, type AnswerOf } from '@fiado/client';
import type { Deposit, Provider } from './post-deposit';

/** A deposit is applied a moment after its answer. */
const PATIENCE_MS = 20_000;
const POLL_MS = 100;
/** A second effect of a deposit would show by then. */
const SETTLE_MS = 700;
const CREDIT_LIMIT = 100_000;

export interface Customer {
  cornerStoreId: string;
}

/** A delivered order. */
export interface Debt extends Customer {
  transactionId: string;
  idFactura: string;
  numeroReferencia: string;
  dueCents: number;
}

/** What the scenarios work with: a provider, and a wholesaler that makes debts for it. */
export interface World {
  provider: Provider;
  fiado: Fiado;
  wholesalerKey: string;
  opsKey: string | undefined;
  /** How many references are tried for differences of the answers. */
  references: number;
}

export async function newCustomer({ fiado }: World): Promise<Customer> {
  return fiado.sandbox.createCustomer({ status: 'approved', creditLimit: CREDIT_LIMIT });
}

/** A debt of a customer, of a new one by default. */
export async function newDebt(world: World, customer?: Customer): Promise<Debt> {
  const { fiado } = world;
  const { cornerStoreId } = customer ?? (await newCustomer(world));
  const products = [{ externalSKU: 'CHECK-1', name: 'Prueba', quantity: 1 }];
  const order = await fiado.transactions.create({ cornerStoreId, totalAmount: 1_000, products });
  const code = await fiado.sandbox.code(order.verificationId);
  const { transactionId, verificationId } = order;
  await fiado.transactions.confirm(transactionId, verificationId, { errorCode: code });
  const delivery = { status: 'delivery', transactionAmount: 1_000 } as const;
  await fiado.transactions.deliver(transactionId, delivery);
  const { idFactura, numeroReferencia, amountDue } = await fiado.payments.get(transactionId);
  const dueCents = cents(amountDue);
  return { cornerStoreId, transactionId, idFactura, numeroReferencia, dueCents };
}

/** A deposit for a debt, by both of its references, with a key of its own. */
export function depositFor(
  debt: Debt,
  valorCents: number,
  changes: Partial<Deposit> = {},
): Deposit {
  return {
    idFactura: debt.idFactura,
    numeroReferencia: debt.numeroReferencia,
    valor: valorCents / 100,
    fechaPago: new Date().toISOString().replace('T', ' ').replace('Z', ''),
    claveDePago: `CHECK-${randomUUID()}`,
    ...changes,
  };
}

/** Waits until so much of a debt is paid, and then for effects that should not come. */
export async function paidCents(world: World, debt: Debt, expectedCents: number): Promise<number> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  const read = async (): Promise<AnswerOf<'getPayment'>> =>
    world.fiado.payments.get(debt.transactionId);
  while (cents((await read()).amountPaid) < expectedCents && Date.now() < giveUpAt) {
    await pause(POLL_MS);
  }
  await pause(SETTLE_MS);
  return cents((await read()).amountPaid);
}

/** Cents as a person reads them. */
export function pesos(amountCents: number): string {
  return (amountCents / 100).toFixed(2);
}
