import type { TransactionDelivered } from '@fiado/shared/contracts/jobs/transaction-delivered';
import {
  idFacturaOf,
  numeroReferenciaOf,
  plainReference,
} from '../../../services/payments/src/domain/payment-reference';
import { reversalOf } from '../../../services/payments/src/domain/reversal';
import { rowOf, say, type DepositRow, type House } from './house';
import {
  NOTHING,
  moveBalance,
  payReceivables,
  paymentsOf,
  spendBalance,
  takeBack,
  tellDefaults,
} from './receivables';
import { openDefaults } from './sql-rules';

/** use-cases/open-receivable.ts. */
export function openReceivable(house: House, delivered: TransactionDelivered): void {
  const { transactionId, cornerStoreId } = delivered;
  const { payments } = house;
  if (!payments.balances.has(cornerStoreId)) {
    const numeroReferencia = numeroReferenciaOf(payments.referencias++);
    payments.balances.set(cornerStoreId, { numeroReferencia, balanceCents: 0 });
  }
  if (payments.receivables.has(transactionId)) return;

  const { principalCents, interestCents, ivaCents } = delivered;
  const owed = { principalCents, interestCents, ivaCents };
  const id = house.newId();
  payments.receivables.set(transactionId, {
    id,
    transactionId,
    cornerStoreId,
    idFactura: idFacturaOf(payments.facturas++),
    owed,
    paid: NOTHING,
    dueAt: new Date(delivered.dueAt),
    paidAt: undefined,
    inDefault: false,
    version: 1,
  });
  const opening = { receivableId: id, allocationId: undefined, depositId: null };
  payments.ledger.push({ ...opening, parts: owed, at: house.now.getTime() });
  tellDefaults(house, cornerStoreId, { opened: [], closed: spendBalance(house, cornerStoreId) });
}

/** use-cases/record-deposit.ts. @returns how the provider is answered */
export function recordDeposit(house: House, notice: Omit<DepositRow, 'status' | 'cornerStoreId'>) {
  const known = [...house.payments.deposits.values()].find(
    ({ claveDePago }) => claveDePago === notice.claveDePago,
  );
  if (known !== undefined) {
    const { idFactura, numeroReferencia, valorCents } = known;
    const same =
      idFactura === notice.idFactura &&
      numeroReferencia === notice.numeroReferencia &&
      valorCents === notice.valorCents;
    return same ? 'acknowledged' : 'DEPOSIT_CONFLICT';
  }
  const deposit: DepositRow = { ...notice, status: 'received', cornerStoreId: undefined };
  house.payments.deposits.set(notice.id, deposit);
  say(house, { type: 'apply-deposit', depositId: notice.id });
  return 'acknowledged';
}

/** use-cases/apply-deposit.ts and db/receivables.repository.ts, matchReferences. */
export function applyDeposit(house: House, depositId: string): void {
  const deposit = rowOf(house.payments.deposits, depositId);
  if (deposit.status !== 'received') return;
  const { receivables, balances } = house.payments;
  const named = [...receivables.values()].find(
    ({ idFactura }) => idFactura === plainReference(deposit.idFactura),
  );
  const [referred] =
    [...balances].find(
      ([, { numeroReferencia }]) => numeroReferencia === plainReference(deposit.numeroReferencia),
    ) ?? [];
  const cornerStoreId = named?.cornerStoreId ?? referred;
  if (cornerStoreId === undefined) deposit.status = 'unmatched';
  else distribute(house, deposit, cornerStoreId, named?.id ?? null);
}

/** use-cases/assign-deposit.ts. */
export function assignDeposit(house: House, depositId: string, cornerStoreId: string): string {
  const deposit = rowOf(house.payments.deposits, depositId);
  if (!house.payments.balances.has(cornerStoreId)) return 'CORNER_STORE_NOT_FOUND';
  if (deposit.status !== 'unmatched') return 'DEPOSIT_IS_NOT_UNMATCHED';
  distribute(house, deposit, cornerStoreId, null);
  return 'assigned';
}

/** use-cases/reverse-deposit.ts. */
export function reverseDeposit(house: House, depositId: string): void {
  const deposit = rowOf(house.payments.deposits, depositId);
  if (deposit.status === 'reversed') return;
  deposit.status = 'reversed';
  const { cornerStoreId } = deposit;
  if (cornerStoreId === undefined) return;

  const surplusCents = house.payments.balanceEntries
    .filter((entry) => entry.depositId === depositId)
    .reduce((sum, { cents }) => sum + cents, 0);
  const use = {
    payments: paymentsOf(house, cornerStoreId, depositId),
    surplusCents,
    spendings: paymentsOf(house, cornerStoreId, null),
  };
  const { balanceCents } = rowOf(house.payments.balances, cornerStoreId);
  const { takenBack, returnedCents } = reversalOf(use, balanceCents);
  const own = new Set(use.payments.map(({ allocationId }) => allocationId));
  for (const payment of takenBack) {
    takeBack(house, payment, own.has(payment.allocationId) ? depositId : null);
  }
  moveBalance(house, cornerStoreId, null, returnedCents);
  moveBalance(house, cornerStoreId, depositId, -surplusCents);
  const closed = spendBalance(house, cornerStoreId);
  const opened = openDefaults(house, house.now, cornerStoreId);
  tellDefaults(house, cornerStoreId, { opened: opened.map((row) => row.transactionId), closed });
}

/** use-cases/detect-defaults.ts. */
export function detectDefaults(house: House, asOf: Date): number {
  const opened = openDefaults(house, asOf);
  for (const cornerStoreId of new Set(opened.map((row) => row.cornerStoreId))) {
    const ofStore = opened.filter((row) => row.cornerStoreId === cornerStoreId);
    const ids = ofStore.map(({ transactionId }) => transactionId);
    tellDefaults(house, cornerStoreId, { opened: ids, closed: [] });
  }
  return opened.length;
}

/** use-cases/distribute-deposit.ts. */
function distribute(
  house: House,
  deposit: DepositRow,
  cornerStoreId: string,
  receivableId: string | null,
): void {
  const source = { cornerStoreId, depositId: deposit.id, receivableId };
  const { leftCents, closed } = payReceivables(house, deposit.valorCents, source);
  moveBalance(house, cornerStoreId, deposit.id, leftCents);
  Object.assign(deposit, { status: 'applied', cornerStoreId });
  tellDefaults(house, cornerStoreId, { opened: [], closed });
}
