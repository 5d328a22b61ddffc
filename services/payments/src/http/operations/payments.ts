import {
  count,
  flag,
  listOf,
  nullable,
  object,
  oneOf,
  pesos,
  success,
  text,
  timestamp,
  uuid,
} from '@fiado/shared/openapi/json-schema';
import type { Operation } from '@fiado/shared/openapi/operation';
import { DepositBody, DepositQuery } from '../deposit-body';
import { DefaultInformationQuery } from '../get-default-information';

export const exampleDeposit = {
  idFactura: '0000000000424',
  numeroReferencia: '000000000422',
  valor: 529,
  fechaPago: '2027-02-10 09:30:00.000',
  claveDePago: 'SPEI-20270210-000042',
};

export const recordDeposit: Operation = {
  id: 'recordDeposit',
  tag: 'Payments',
  summary: 'Notify a deposit',
  description:
    'Answered once the deposit is kept; it is applied a moment later. The same `claveDePago` with ' +
    'the same body is answered the same; with another body it is a conflict. ' +
    '`paymentProviderName` is the name of the key’s own provider. Both references are free text: ' +
    'empty, long, without leading zeros or in each other’s place, the deposit is accepted.',
  body: DepositBody,
  bodyExample: exampleDeposit,
  query: DepositQuery,
  answer: { status: 200, schema: success, example: { success: true } },
  errors: ['DEPOSIT_CONFLICT'],
  takesIdempotencyKey: true,
};

export const getPayment: Operation = {
  id: 'getPayment',
  tag: 'Payments',
  summary: 'How a delivered transaction is paid',
  description: 'Both references go to the payer. Principal, interests and IVA are one amount.',
  answer: {
    status: 200,
    schema: object('Payment', {
      idFactura: text,
      numeroReferencia: text,
      amountDue: pesos,
      amountPaid: pesos,
      paymentDate: timestamp,
      status: oneOf(['pending', 'overdue', 'paid']),
    }),
    example: {
      idFactura: exampleDeposit.idFactura,
      numeroReferencia: exampleDeposit.numeroReferencia,
      amountDue: 529,
      amountPaid: 0,
      paymentDate: '2027-02-15T05:59:59.999Z',
      status: 'pending',
    },
  },
  errors: ['TRANSACTION_NOT_FOUND', 'RECEIVABLE_NOT_FOUND'],
};

const paymentDefault = object('PaymentDefault', {
  userId: uuid,
  paymentDefaultAmount: pesos,
  paymentDefaultCreatedDate: timestamp,
  paymentDefaultPaidDate: nullable(timestamp),
  externalId: text,
});

export const getDefaultInformation: Operation = {
  id: 'getDefaultInformation',
  tag: 'Corner stores',
  summary: 'List overdue debts, open and paid',
  description: 'Newest first, 20 on a page. A page past the end is empty and the last one.',
  query: DefaultInformationQuery,
  answer: {
    status: 200,
    schema: object('PaymentDefaultPage', {
      paymentDefaults: listOf(paymentDefault),
      totalPages: count,
      totalElements: count,
      last: flag,
      first: flag,
    }),
    example: {
      paymentDefaults: [
        {
          userId: '9e2d4c71-1a5b-4c3d-8e7f-6a5b4c3d2e44',
          paymentDefaultAmount: 529,
          paymentDefaultCreatedDate: '2027-02-15T06:00:00.000Z',
          paymentDefaultPaidDate: null,
          externalId: 'tienda-001',
        },
      ],
      totalPages: 1,
      totalElements: 1,
      last: true,
      first: true,
    },
  },
};
