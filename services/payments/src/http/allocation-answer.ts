import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { ReceivableAllocation } from '../db/ops-receivables.repository';

export const allocationAnswer = t.object('Allocation', {
  allocationId: t.uuid,
  depositId: t.nullable(t.uuid),
  receivableId: t.uuid,
  transactionId: t.uuid,
  idFactura: t.text,
  amount: t.pesos,
  totalAmount: t.pesos,
  interests: t.pesos,
  IVAAmount: t.pesos,
  amountReversed: t.pesos,
  createdAt: t.timestamp,
});

export const exampleAllocation: t.AnswerOf<typeof allocationAnswer> = {
  allocationId: '0199e2c4-8c3d-7e4f-8a51-627384950617',
  depositId: 'c0ffee00-1234-4abc-8def-0123456789ab',
  receivableId: '0199e2c4-7b2c-7d3e-9f40-516273849506',
  transactionId: EXAMPLE_IDS.transactionId,
  idFactura: '4829105736423',
  amount: 529,
  totalAmount: 500,
  interests: 25,
  IVAAmount: 4,
  amountReversed: 0,
  createdAt: '2026-10-02T15:30:02.345Z',
};

export function presentAllocation(
  allocation: ReceivableAllocation,
): t.AnswerOf<typeof allocationAnswer> {
  const { principalCents, interestCents, ivaCents } = allocation;
  return {
    allocationId: allocation.id,
    depositId: allocation.depositId,
    receivableId: allocation.receivableId,
    transactionId: allocation.transactionId,
    idFactura: allocation.idFactura,
    amount: amountOf(principalCents + interestCents + ivaCents),
    totalAmount: amountOf(principalCents),
    interests: amountOf(interestCents),
    IVAAmount: amountOf(ivaCents),
    amountReversed: amountOf(allocation.reversedCents),
    createdAt: allocation.createdAt.toISOString(),
  };
}
