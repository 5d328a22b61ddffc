import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import { CREDIT_ENTRY_KINDS, type CreditEntry } from '../db/credit-entries.repository';

export const creditEntryAnswer = t.object('CreditEntry', {
  creditEntryId: t.uuid,
  transactionId: t.uuid,
  kind: t.oneOf(CREDIT_ENTRY_KINDS),
  amount: t.pesos,
  causeId: t.nullable(t.uuid),
  createdAt: t.timestamp,
});

export const exampleCreditEntry: t.AnswerOf<typeof creditEntryAnswer> = {
  creditEntryId: '0199e2c4-6a1b-7c2d-8e3f-405162738495',
  transactionId: EXAMPLE_IDS.transactionId,
  kind: 'hold',
  amount: 500,
  causeId: null,
  createdAt: '2026-09-21T16:04:05.678Z',
};

export function presentCreditEntry(entry: CreditEntry): t.AnswerOf<typeof creditEntryAnswer> {
  return {
    creditEntryId: entry.id,
    transactionId: entry.transactionId,
    kind: entry.kind,
    amount: amountOf(entry.amountCents),
    causeId: entry.causeId,
    createdAt: entry.createdAt.toISOString(),
  };
}
