import { internalEndpoint } from '@fiado/shared/chassis/http/endpoint';
import { PaymentQuestion, type PaymentAnswer } from '@fiado/shared/contracts/payment';
import type { Context } from '../context';
import { getPayment } from '../use-cases/get-payment';
import { presentPayment } from './get-payment';

export const paymentEndpoint = internalEndpoint({
  path: '/internal/payment',
  allow: ['service:gateway'],
  body: PaymentQuestion,
  handle: async (context: Context, question): Promise<PaymentAnswer> =>
    presentPayment(await getPayment(context, question), context.clock.now()),
});
