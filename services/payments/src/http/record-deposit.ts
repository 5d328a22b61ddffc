import type { Request, RequestHandler } from 'express';
import { validBody, validQuery } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { AppError } from '@fiado/shared/contracts/errors';
import { centsOf } from '@fiado/shared/money';
import type { Context } from '../context';
import { paymentTimeOf } from '../domain/payment-time';
import { recordDeposit, type RecordDeposit } from '../use-cases/record-deposit';
import { DepositBody, DepositQuery } from './deposit-body';

const ACCEPTED = { success: true };

/** e18: a payment provider tells of a deposit; 200 means that it is kept. */
export function handleRecordDeposit(context: Context): RequestHandler {
  return async (req, res) => {
    const { paymentProviderName } = validQuery(DepositQuery, req);
    if (paymentProviderName !== callerOf(req).name) throw new AppError('FORBIDDEN');
    const notice = noticeOf(context, req);

    await answerOnce<typeof ACCEPTED>(context.db, req, res, {
      status: 200,
      present: (accepted) => accepted,
      work: async (keep) => {
        await recordDeposit(context, { ...notice, answer: keep(ACCEPTED) });
        return ACCEPTED;
      },
    });
  };
}

function noticeOf(context: Context, req: Request): Omit<RecordDeposit, 'answer'> {
  const { id: paymentProviderId, name, timeZone = context.config.TIME_ZONE } = callerOf(req);
  const body = validBody(DepositBody, req);
  return {
    paymentProviderId,
    providerName: name,
    idFactura: body.idFactura,
    numeroReferencia: body.numeroReferencia,
    valorCents: centsOf(body.valor),
    fechaPago: body.fechaPago,
    paidAt: paymentTimeOf(body.fechaPago, timeZone),
    claveDePago: body.claveDePago,
    body: JSON.stringify(req.body),
  };
}
