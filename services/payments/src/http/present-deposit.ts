import { amountOf } from '@fiado/shared/money';
import type { DepositStatus } from '../db/deposit.entity';
import type { ListedDeposit } from '../db/deposits.repository';

/** A deposit as ops sees it: the five fields of e18 as sent, its provider and what became of it. */
export interface PresentedDeposit {
  depositId: string;
  idFactura: string;
  numeroReferencia: string;
  /** Pesos. */
  valor: number;
  fechaPago: string;
  claveDePago: string;
  paymentProvider: string;
  status: DepositStatus;
  receivedAt: string;
}

export function presentDeposit(deposit: ListedDeposit): PresentedDeposit {
  return {
    depositId: deposit.id,
    idFactura: deposit.idFactura,
    numeroReferencia: deposit.numeroReferencia,
    valor: amountOf(deposit.valorCents),
    fechaPago: deposit.fechaPago,
    claveDePago: deposit.claveDePago,
    paymentProvider: deposit.providerName,
    status: deposit.status,
    receivedAt: deposit.receivedAt.toISOString(),
  };
}
