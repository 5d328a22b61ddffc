import { internalEndpoint } from '@fiado/shared/chassis/http/endpoint';
import { sampledFigures } from '@fiado/shared/chassis/ops-figures';
import { OpsFiguresQuestion } from '@fiado/shared/contracts/ops-figures';
import { DebtsQuestion, type DebtsAnswer } from '@fiado/shared/contracts/account-link';
import { PaymentQuestion, type PaymentAnswer } from '@fiado/shared/contracts/payment';
import type { Context } from '../context';
import { findDebts } from '../db/debts.repository';
import { getPayment } from '../use-cases/get-payment';
import { presentPayment } from './get-payment';
import { readOpsFigures } from '../use-cases/read-ops-figures';

export const paymentEndpoint = internalEndpoint({
  path: '/internal/payment',
  allow: ['service:gateway'],
  body: PaymentQuestion,
  handle: async (context: Context, question): Promise<PaymentAnswer> =>
    presentPayment(await getPayment(context, question), context.clock.now()),
});

export const debtsEndpoint = internalEndpoint({
  path: '/internal/debts',
  allow: ['service:gateway'],
  body: DebtsQuestion,
  handle: async ({ db, clock, config }: Context, question): Promise<DebtsAnswer> => ({
    debts: (await findDebts(db, question)).map((view) => presentPayment(view, clock.now())),
    timeZone: config.TIME_ZONE,
  }),
});

export const opsFiguresEndpoint = internalEndpoint({
  path: '/internal/ops-figures',
  allow: ['service:accounts'],
  body: OpsFiguresQuestion,
  handle: sampledFigures(readOpsFigures),
});
