import { IsOptional, IsString } from './class-validator';
import type { Caller } from './caller';
import { IsArrayOf, IsCountFromOne, IsText } from './decorators';
import { defineCall } from './define';

class CredentialQuestion {
  /** The key or token alone, without its scheme. */
  @IsString()
  credential: string;
}

/** How a payment provider proves, in addition to its key, that a call is its own. */
export interface ProviderProof {
  /** Addresses and networks (CIDR) that may call; empty is any. */
  allowedAddresses: string[];
  signatureRequired: boolean;
  /** Secrets that may sign a deposit: the newest, and for a day the one before it. */
  signingSecrets: string[];
}

/** Answered when the credential is valid; otherwise the error is UNAUTHORIZED, with its `keyId` if known. */
export interface CredentialAnswer {
  caller: Caller;
  /** Only of a payment provider. For the gateway alone, so it is no part of the caller. */
  proof?: ProviderProof;
}

/**
 * For accounts: the gateway calls it for each credential. Error: UNAUTHORIZED, with its `keyId` if
 * known.
 */
export const checkCredentialCall = defineCall<CredentialAnswer>()(
  '/internal/credentials/check',
  CredentialQuestion,
);

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

  @IsCountFromOne()
  count: number;
}

export class RefusedCredentials {
  @IsArrayOf(() => RefusedCaller, { max: MAX_REFUSED_CALLERS })
  callers: RefusedCaller[];
}

/** For accounts: what the gateway refused since its last report. */
export const refusedCredentialsCall = defineCall<object>()(
  '/internal/refused-credentials',
  RefusedCredentials,
);
