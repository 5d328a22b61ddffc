import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import type { Context } from '../context';
import { createPaymentProvider } from '../use-cases/create-payment-provider';
import { IsTimeZoneName } from './request-fields';

const MAX_NAME = 100;
/** Where a provider's times belong unless ops says otherwise (design 2). */
const DEFAULT_TIME_ZONE = 'America/Mexico_City';

export class CreatePaymentProviderBody {
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_NAME)
  name: string;

  @IsOptional()
  @IsTimeZoneName()
  timeZone?: string;
}

/** POST /v1/admin/payment-providers. */
export function handleCreatePaymentProvider(context: Context): RequestHandler {
  return async (req, res) => {
    const { name, timeZone } = validBody(CreatePaymentProviderBody, req, 'refuse');
    const provider = { name, timeZone: timeZone ?? DEFAULT_TIME_ZONE };
    const { paymentProviderId, key } = await createPaymentProvider(context, {
      by: callerOf(req),
      ...provider,
    });
    res.status(201).json({ paymentProviderId, ...provider, ...key });
  };
}
