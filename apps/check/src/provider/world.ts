import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fiado } from '@fiado/client';
import type { Debt, Debts } from './debts';
import type { Deposit, Provider } from './post-deposit';

/** A deposit is applied a moment after its answer; a system that has applied nothing for so long is no slow one. */
const STALLED_AFTER_MS = 20_000;

/** The parts that the scenarios work with: a provider, and the debts that it pays. */
export interface World {
  provider: Provider;
  /** With the key of the provider. */
  fiado: Fiado;
  debts: Debts;
  /** Undefined if the debts are of a file. */
  wholesalerKey: string | undefined;
  opsKey: string | undefined;
  /** How many references are tried for differences of the answers. */
  references: number;
}

/** A debt of a customer that no other scenario uses. */
export async function newDebt({ debts }: World): Promise<Debt> {
  return (await debts.newCustomer(1)).nextDebt();
}

let lastPaidAt = 0;

/** A deposit for a debt, by both of its references, with a key and a time of its own. */
export function depositFor(
  { idFactura, numeroReferencia }: Debt,
  valorCents: number,
  changes: Partial<Deposit> = {},
): Deposit {
  lastPaidAt = Math.max(Date.now(), lastPaidAt + 1);
  return {
    idFactura,
    numeroReferencia,
    valor: valorCents / 100,
    fechaPago: new Date(lastPaidAt).toISOString().replace('T', ' ').replace('Z', ''),
    claveDePago: `CHECK-${randomUUID()}`,
    ...changes,
  };
}

/** Waits until so much of a debt is paid, and then for effects that should not come. */
export async function paidCents(
  { debts }: World,
  debt: Debt,
  expectedCents: number,
): Promise<number> {
  let giveUpAt = Date.now() + STALLED_AFTER_MS;
  let before = 0;
  for (let looks = 1; ; looks += 1) {
    await pause(debts.pollMs);
    const { paidCents: paid } = await debts.read(debt);
    if (paid > before) giveUpAt = Date.now() + STALLED_AFTER_MS;
    before = paid;
    if (paid < expectedCents && Date.now() < giveUpAt) continue;
    if (looks === 1) return paid;
    await pause(debts.pollMs);
    return (await debts.read(debt)).paidCents;
  }
}

/** Cents as a person reads them. */
export function pesos(amountCents: number): string {
  return (amountCents / 100).toFixed(2);
}
