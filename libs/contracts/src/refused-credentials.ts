import { IsInt, IsOptional, Min } from 'class-validator';
import { IsArrayOf, IsText } from './decorators';
import { defineCall } from './define-call';

/** Callers that one report names at most; it is also how many the audit log takes in a minute. */
export const MAX_REFUSED_CALLERS = 100;

/** Longer than an IPv6 address and than the id of a key. */
const MAX_TEXT = 100;

/** How often one caller was answered 401. */
export class RefusedCaller {
  /** An IPv4 address, or the /64 of an IPv6 address. */
  @IsText(MAX_TEXT)
  address: string;

  /** The key that has expired or was revoked, or that an access token was issued for. */
  @IsOptional()
  @IsText(MAX_TEXT)
  keyId?: string | undefined;

  @IsInt()
  @Min(1)
  count: number;
}

export class RefusedCredentials {
  @IsArrayOf(() => RefusedCaller, { max: MAX_REFUSED_CALLERS })
  callers: RefusedCaller[];
}

/** For accounts: what the gateway refused since its last report. */
export const refusedCredentialsCall = defineCall<RefusedCredentials, object>(
  '/internal/refused-credentials',
  RefusedCredentials,
);
