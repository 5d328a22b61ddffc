import { isIPv4, isIPv6 } from 'node:net';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsOptional,
  ValidateBy,
} from '@fiado/contracts/class-validator';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { DescribedAs } from '@fiado/contracts/about';
import { AskedReasonBody } from '@fiado/contracts/reason-body';
import { IsTimeZoneName } from '../request-fields';
import type { PaymentProvider, ProviderSettings } from './provider-settings.rules';

/** Each call of the provider is compared with all of them. */
const MAX_ADDRESSES = 50;

export const providerFields = {
  paymentProviderId: fields.paymentProviderId,
  name: t.field(t.text, 'Name', 'Pagos del Centro'),
  timeZone: t.field(t.text, 'Time zone of `fechaPago`', 'America/Mexico_City'),
  allowedAddresses: t.list(t.text, 'Addresses and networks that may call; empty: all'),
  signatureRequired: t.field(
    t.flag,
    'Refuses what the provider sends without a valid `Fiado-Signature`',
    true,
  ),
};

/** A payment provider's settings as ops sends them; absent settings keep their values. */
@DescribedAs(providerFields)
export class UpdatePaymentProviderBody extends AskedReasonBody {
  @IsOptional()
  @IsTimeZoneName()
  timeZone?: string;

  /** Addresses and networks that may call with the provider's keys; empty is any. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_ADDRESSES)
  @IsAddressOrNetwork()
  allowedAddresses?: string[];

  /** Whether each deposit must be signed. */
  @IsOptional()
  @IsBoolean()
  signatureRequired?: boolean;
}

/** The settings in a body. */
export function providerSettingsOf({
  timeZone,
  allowedAddresses,
  signatureRequired,
}: UpdatePaymentProviderBody): Partial<ProviderSettings> {
  return {
    ...(typeof timeZone === 'string' ? { timeZone } : {}),
    ...(Array.isArray(allowedAddresses) ? { allowedAddresses } : {}),
    ...(typeof signatureRequired === 'boolean' ? { signatureRequired } : {}),
  };
}

/** Descriptions of two of the settings. */
export const PROVIDER_GUARDS =
  'Keys of the provider are refused (403) from any address that is not in `allowedAddresses`, ' +
  'unless the list is empty. With `signatureRequired` each request needs the header ' +
  '`Fiado-Signature`.';

export const providerAnswer = t.object('PaymentProvider', providerFields);

export const exampleProvider: t.ExampleOf<typeof providerAnswer> = {
  paymentProviderId: 'd4c3b2a1-0f9e-4d8c-b7a6-958473625140',
  allowedAddresses: ['203.0.113.0/24'],
};

/** A payment provider as ops sees it. */
export function presentPaymentProvider(
  provider: PaymentProvider,
): t.AnswerOf<typeof providerAnswer> {
  const { id, name, timeZone, allowedAddresses, signatureRequired } = provider;
  return { paymentProviderId: id, name, timeZone, allowedAddresses, signatureRequired };
}

/**
 * Such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32. The gateway knows an IPv6 caller by its /64,
 * so a smaller network would let nobody pass.
 */
function IsAddressOrNetwork(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isAddressOrNetwork',
      validator: {
        validate: isAddressOrNetwork,
        defaultMessage: () =>
          'each value in $property must be an IPv4 address or network, such as 203.0.113.0/24, ' +
          'or an IPv6 network of at most /64',
      },
    },
    { each: true },
  );
}

function isAddressOrNetwork(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const [address = '', bits, ...rest] = value.split('/');
  if (rest.length > 0 || (bits !== undefined && !/^\d{1,2}$/.test(bits))) return false;
  if (isIPv4(address)) return Number(bits ?? 32) <= 32;
  // Node takes 'fe80::1%eth0' for an address, which no caller of ours can have.
  return isIPv6(address) && !address.includes('%') && Number(bits ?? 128) <= 64;
}
