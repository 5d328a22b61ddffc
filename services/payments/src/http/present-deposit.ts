import { amountOf } from '@fiado/shared/money';
import type { DepositStatus } from '../db/deposit.entity';
import type { DepositView, ListedDeposit } from '../db/deposits.repository';
import type { UnmatchedReason } from '../domain/match-references';

/** The five fields of `recordDeposit`; a reference of more than 1,000 characters is cut there. */
interface PresentedNotice {
  idFactura: string;
  numeroReferencia: string;
  /** Pesos. */
  valor: number;
  fechaPago: string;
  claveDePago: string;
  receivedAt: string;
}

/** A deposit as ops sees it: the notice, its provider and what became of it. */
export interface PresentedDeposit extends PresentedNotice {
  depositId: string;
  paymentProvider: string;
  status: DepositStatus;
  /** Why it is unmatched; null in every other status. */
  reason: UnmatchedReason | null;
}

/** A deposit of a list, with what its provider sent under the same claveDePago and was refused. */
export interface PresentedListedDeposit extends PresentedDeposit {
  conflicts: PresentedNotice[];
}

export function presentDeposit(deposit: DepositView): PresentedDeposit {
  return {
    depositId: deposit.id,
    idFactura: deposit.idFactura,
    numeroReferencia: deposit.numeroReferencia,
    valor: amountOf(deposit.valorCents),
    fechaPago: deposit.fechaPago,
    claveDePago: deposit.claveDePago,
    paymentProvider: deposit.providerName,
    status: deposit.status,
    // A row of a release that kept no reason: only unknown references were unmatched then.
    reason: deposit.status === 'unmatched' ? (deposit.unmatchedReason ?? 'unknown') : null,
    receivedAt: deposit.receivedAt.toISOString(),
  };
}

export function presentListedDeposit(deposit: ListedDeposit): PresentedListedDeposit {
  return {
    ...presentDeposit(deposit),
    conflicts: deposit.conflicts.map((conflict) => ({
      idFactura: conflict.idFactura,
      numeroReferencia: conflict.numeroReferencia,
      valor: amountOf(conflict.valorCents),
      fechaPago: conflict.fechaPago,
      claveDePago: deposit.claveDePago,
      receivedAt: new Date(conflict.receivedAt).toISOString(),
    })),
  };
}
