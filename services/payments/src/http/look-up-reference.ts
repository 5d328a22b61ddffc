import { endpoint } from '@fiado/chassis/http/endpoint';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { lookUpReference } from '../use-cases/look-up-reference';
import { exampleNotice } from './deposit-answer';

export const lookUpReferenceEndpoint = endpoint({
  id: 'lookUpReference',
  tag: 'Payments',
  route: 'GET /v1/customer-transaction/payment/reference/:reference',
  scope: 'deposits:write',
  summary: 'Look up a payment reference',
  description:
    'For a provider before it takes cash: what is owed, and the initial of who owes it. A reference ' +
    'that is unknown or paid is a 404. A provider has 60 look-ups a minute, over all of its keys.',
  errors: ['REFERENCE_NOT_FOUND', 'SIGNATURE_NOT_VALID'],
  signed: true,
  answer: t.object('LookedUpReference', {
    reference: t.text,
    amountDue: t.pesos,
    firstNameInitial: t.text,
  }),
  example: { reference: exampleNotice.idFactura, amountDue: 529, firstNameInitial: 'L' },
  input: ({ caller, text }) => ({ paymentProviderId: caller.id, text: text('reference') }),
  handle: (context: Context, input) => lookUpReference(context, input),
  present: ({ reference, owedCents, firstNameInitial }) => ({
    reference,
    amountDue: amountOf(owedCents),
    firstNameInitial,
  }),
});
