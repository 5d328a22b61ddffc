import { endpoint } from '@fiado/chassis/http/endpoint';
import { EXAMPLE_IDS, EXAMPLE_INVOICE, EXAMPLE_ORDER } from '@fiado/contracts/event-examples';
import * as t from '@fiado/chassis/openapi/json-schema';
import { VERIFICATION_STATUSES } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { showTransaction } from '../use-cases/show-transaction';
import { exampleProducts } from './create-invoice';
import { creditEntryAnswer, exampleCreditEntry, presentCreditEntry } from './credit-entry-answer';
import { invoiceAnswer, presentInvoice } from './get-invoice';
import {
  exampleOpsTransaction,
  opsTransactionFields,
  presentOpsTransaction,
} from './ops-transaction-answer';
import { presentProduct, productLine } from './transaction-answer';

const opsVerification = t.object('OpsVerification', {
  verificationId: t.uuid,
  status: t.oneOf(VERIFICATION_STATUSES),
  sends: t.count,
  expiresAt: t.timestamp,
  checksLeft: t.count,
});

const deliveryWordState = t.object('DeliveryWordState', {
  sends: t.count,
  wrongWords: t.count,
  wrongWordsInAll: t.count,
  isLocked: t.flag,
  isVoid: t.flag,
});

export const showTransactionEndpoint = endpoint({
  id: 'showTransaction',
  tag: 'Ops: transactions',
  route: 'GET /v1/admin/transactions/:transactionId',
  scope: 'viewer',
  summary: 'Show a transaction of any wholesaler',
  description:
    'With its products, the states of its code and delivery word, its credit entries and its ' +
    'invoice. Never the code or the word, and not the metadata, which may hold personal data. Its ' +
    'SMS are in `GET /admin/messages`, its debt in `GET /admin/receivables`, with `transactionId`.',
  errors: ['TRANSACTION_NOT_FOUND'],
  answer: t.object('OpsTransactionDetail', {
    ...opsTransactionFields,
    interestRate: t.rate,
    ivaRate: t.rate,
    commissionRate: t.rate,
    linked: t.flag,
    driverId: t.nullable(t.text),
    expiresAt: t.timestamp,
    products: t.listOf(productLine),
    verification: t.nullable(opsVerification),
    deliveryWord: t.nullable(deliveryWordState),
    creditEntries: t.listOf(creditEntryAnswer),
    invoice: t.nullable(invoiceAnswer),
  }),
  example: {
    ...exampleOpsTransaction,
    interestRate: 0.05,
    ivaRate: 0.16,
    commissionRate: 0.02,
    linked: false,
    driverId: null,
    expiresAt: '2026-10-21T16:04:05.678Z',
    products: EXAMPLE_ORDER.products,
    verification: {
      verificationId: EXAMPLE_IDS.verificationId,
      status: 'approved',
      sends: 1,
      expiresAt: '2026-09-21T16:15:00.000Z',
      checksLeft: 0,
    },
    deliveryWord: { sends: 1, wrongWords: 0, wrongWordsInAll: 0, isLocked: false, isVoid: false },
    creditEntries: [exampleCreditEntry],
    invoice: { ...EXAMPLE_INVOICE, products: exampleProducts },
  },
  input: ({ id }) => ({ transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND') }),
  handle: showTransaction,
  present: (
    { transaction, verification, deliveryWord, creditEntries, invoice },
    context: Context,
  ) => ({
    ...presentOpsTransaction(transaction, context),
    interestRate: Number(transaction.interestRate),
    ivaRate: Number(transaction.ivaRate),
    commissionRate: Number(transaction.commissionRate),
    linked: transaction.linked,
    driverId: transaction.driverId,
    expiresAt: transaction.expiresAt.toISOString(),
    products: transaction.products.map(presentProduct),
    verification:
      verification === undefined
        ? null
        : {
            verificationId: verification.verificationId,
            status: verification.status,
            sends: verification.sends,
            expiresAt: verification.expiresAt.toISOString(),
            checksLeft: verification.checksLeft,
          },
    deliveryWord:
      deliveryWord === undefined
        ? null
        : {
            sends: deliveryWord.sends,
            wrongWords: deliveryWord.wrongChecks,
            wrongWordsInAll: deliveryWord.wrongChecksInAll,
            isLocked: deliveryWord.isLocked,
            isVoid: deliveryWord.isVoid,
          },
    creditEntries: creditEntries.map(presentCreditEntry),
    invoice: invoice === undefined ? null : presentInvoice(invoice),
  }),
});
