import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import { DEPOSIT_STATUSES } from '../db/deposit';
import type { DepositView } from '../db/deposits.repository';
import { UNMATCHED_REASONS } from '../domain/match-references';

/** The five fields of `recordDeposit`; a reference of more than 1,000 characters is cut there. */
export const noticeFields = {
  idFactura: t.text,
  numeroReferencia: t.text,
  valor: t.pesos,
  fechaPago: t.text,
  claveDePago: t.text,
  receivedAt: t.timestamp,
};

export const depositFields = {
  depositId: t.uuid,
  ...noticeFields,
  paymentProvider: t.text,
  status: t.oneOf(DEPOSIT_STATUSES),
  reason: t.nullable(t.oneOf(UNMATCHED_REASONS)),
};

/** A deposit as ops sees it: the notice, its provider and its status. */
export const depositAnswer = t.object('Deposit', depositFields);

export const exampleNotice = {
  idFactura: '4829105736423',
  numeroReferencia: '830274915602',
  valor: 529,
  fechaPago: '2026-10-02 09:30:00.000',
  claveDePago: 'SPEI-20261002-000042',
};

export const exampleDeposit: t.AnswerOf<typeof depositAnswer> = {
  depositId: 'c0ffee00-1234-4abc-8def-0123456789ab',
  ...exampleNotice,
  paymentProvider: 'Pagos del Centro',
  status: 'unmatched',
  reason: 'ambiguous',
  receivedAt: '2026-10-02T15:30:01.234Z',
};

export function presentDeposit(deposit: DepositView): t.AnswerOf<typeof depositAnswer> {
  return {
    depositId: deposit.id,
    idFactura: deposit.idFactura,
    numeroReferencia: deposit.numeroReferencia,
    valor: amountOf(deposit.valorCents),
    fechaPago: deposit.fechaPago,
    claveDePago: deposit.claveDePago,
    paymentProvider: deposit.providerName,
    status: deposit.status,
    // A row of a release without reasons, in which only unknown references were unmatched.
    reason: deposit.status === 'unmatched' ? (deposit.unmatchedReason ?? 'unknown') : null,
    receivedAt: deposit.receivedAt.toISOString(),
  };
}
