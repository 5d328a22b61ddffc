import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { cents, FiadoError, type Fiado } from '@fiado/client';
import { UsageError } from '../command-options';
import { SkippedError } from '../scenario';

/** Scenarios pay up to 50 pesos of a debt that they do not settle. */
const LEAST_CENTS = 10_000;

/** A provider has 60 look-ups a minute, so each must count; a deposit is applied by then. */
const FILE_POLL_MS = 1_500;

/** A delivered order that is not paid. */
export interface Debt {
  idFactura: string;
  numeroReferencia: string;
  /** Amount that was owed when the scenario began, in cents. */
  dueCents: number;
}

/** What has become of a debt, in cents. */
interface DebtState {
  paidCents: number;
  leftCents: number;
}

/** A customer that one scenario uses. */
interface Customer {
  /** Its next debt, the oldest first. */
  nextDebt: () => Promise<Debt>;
}

/** Where the debts of the scenarios come from, and where it is seen what is paid. */
export interface Debts {
  /**
   * A customer that no other scenario uses.
   * @param count how many of its debts the scenario needs
   * @throws SkippedError if there is none
   */
  newCustomer: (count: number) => Promise<Customer>;
  read: (debt: Debt) => Promise<DebtState>;
  /** Pause between two looks at a debt, which is also how long a second effect may take. */
  pollMs: number;
}

type Row = Pick<Debt, 'idFactura' | 'numeroReferencia'>;

/**
 * Reads a CSV file of debts with the columns idFactura and numeroReferencia; others are ignored.
 * @throws UsageError if it is no such file
 */
export async function readDebts(file: string): Promise<Row[]> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new UsageError(`--debts cannot be read: ${error.message}`);
  });
  if (!isUtf8(bytes)) throw new UsageError('--debts is not UTF-8');
  const rows = rowsIn(bytes.toString());
  for (const [index, { idFactura, numeroReferencia }] of rows.entries()) {
    if (!idFactura || !numeroReferencia) {
      throw new UsageError(`--debts: row ${index + 1} needs idFactura and numeroReferencia`);
    }
  }
  if (rows.length === 0) throw new UsageError('--debts has no debt');
  return rows;
}

function rowsIn(text: string): Row[] {
  try {
    return parse(text, { bom: true, columns: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UsageError(`--debts is no CSV: ${error.message}`);
  }
}

/**
 * Debts that somebody else made. What is left of one is what its provider sees when it looks the
 * reference up.
 * @param fiado with the key of the provider
 */
export function fileDebts(rows: readonly Row[], fiado: Fiado): Debts {
  const customers = new Map<string, Row[]>();
  for (const row of rows) {
    const others = customers.get(row.numeroReferencia) ?? [];
    customers.set(row.numeroReferencia, [...others, row]);
  }
  const leftCents = async ({ idFactura }: Row): Promise<number> => {
    try {
      return cents((await fiado.payments.lookUpReference(idFactura)).amountDue);
    } catch (error) {
      if (error instanceof FiadoError && error.is('REFERENCE_NOT_FOUND')) return 0;
      throw error;
    }
  };
  /** The customer with the fewest debts that suffice, so that those with more stay for others. */
  const takeCustomer = (count: number): Row[] => {
    const [fewest] = [...customers.values()]
      .filter((debts) => debts.length >= count)
      .sort((one, other) => one.length - other.length);
    if (fewest === undefined) {
      throw new SkippedError(`--debts has no other customer with ${count} open debts`);
    }
    customers.delete(fewest[0]?.numeroReferencia ?? '');
    return fewest;
  };
  return {
    pollMs: FILE_POLL_MS,
    newCustomer: async (count): Promise<Customer> => {
      for (;;) {
        const open: Debt[] = [];
        for (const row of takeCustomer(count)) {
          const dueCents = await leftCents(row);
          if (dueCents >= LEAST_CENTS) open.push({ ...row, dueCents });
        }
        if (open.length < count) continue;
        return { nextDebt: async () => open.shift() ?? Promise.reject(new Error('no debt left')) };
      }
    },
    read: async (debt) => {
      const left = await leftCents(debt);
      return { paidCents: debt.dueCents - left, leftCents: left };
    },
  };
}

/** In pesos, of a customer that is made for a scenario. */
const CREDIT_LIMIT = 100_000;
/** A second effect of a deposit would show by then. */
const SANDBOX_POLL_MS = 700;

/** Debts that a wholesaler of the sandbox makes when they are needed. */
export function sandboxDebts(fiado: Fiado): Debts {
  const transactionIds = new Map<string, string>();
  return {
    pollMs: SANDBOX_POLL_MS,
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
