import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { idParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import { changePhone, type ChangedPhone } from '../use-cases/change-phone';
import { PhoneBody } from './phone-body';
import { phoneOf } from './request-fields';

/** PUT /v1/account/:userId (spec e3). */
export function handleChangePhone(context: Context): RequestHandler {
  return async (req, res) => {
    const phone = phoneOf(context, validBody(PhoneBody, req).phoneNumber);
    const command = {
      by: callerOf(req),
      userId: idParam(req, 'userId', 'USER_NOT_FOUND'),
      phone,
    };
    await answerOnce<ChangedPhone>(context.db, req, res, {
      status: 200,
      present: (changed) => ({ userId: changed.userId, phoneNumber: changed.phone }),
      // The phone rests sealed in its column, and so it does in a kept answer.
      sealer: context.sealer,
      work: (keep) => changePhone(context, { ...command, keep }),
    });
  };
}
