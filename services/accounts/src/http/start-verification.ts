import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { idParam } from '@fiado/shared/chassis/http/params';
import { IsArrayOf, IsMetadata } from '@fiado/shared/contracts/decorators';
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import type { Context } from '../context';
import { startVerification, type StartedVerification } from '../use-cases/start-verification';
import { IsPhoneText, phoneOf } from './request-fields';

const MAX_TEXT = 200;
const MAX_CONTACTS = 100;

class ContactBody {
  @IsString()
  @MaxLength(MAX_TEXT)
  fullName: string;

  /** Kept as it was sent: nobody calls it from here. */
  @IsString()
  @MaxLength(MAX_TEXT)
  phoneNumber: string;
}

export class StartVerificationBody {
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_TEXT)
  firstName: string;

  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_TEXT)
  lastNames: string;

  @IsPhoneText()
  phoneNumber: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT)
  latitude?: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT)
  longitude?: string;

  @IsOptional()
  @IsArrayOf(() => ContactBody, { max: MAX_CONTACTS })
  contacts?: ContactBody[];

  @IsOptional()
  @IsMetadata()
  metadata?: object;
}

/** POST /v1/account/:userId/verification (spec e1). */
export function handleStartVerification(context: Context): RequestHandler {
  return async (req, res) => {
    const body = validBody(StartVerificationBody, req);
    const command = {
      wholesalerId: callerOf(req).id,
      phone: phoneOf(context, body.phoneNumber),
      userId: idParam(req, 'userId', 'USER_NOT_FOUND'),
      firstName: body.firstName,
      lastNames: body.lastNames,
      latitude: body.latitude,
      longitude: body.longitude,
      contacts: body.contacts,
      metadata: body.metadata,
    };
    await answerOnce<StartedVerification>(context.db, req, res, {
      status: 201,
      present: ({ verificationId }) => ({ verificationId }),
      work: (keep) => startVerification(context, { ...command, keep }),
    });
  };
}
