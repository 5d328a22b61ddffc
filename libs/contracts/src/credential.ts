import { IsString } from 'class-validator';
import type { Caller } from './caller';
import { defineCall } from './define-call';

class CredentialQuestion {
  /** The key or token alone, without its scheme. */
  @IsString()
  credential: string;
}

/** How a payment provider proves beside its key that a call is its own. */
export interface ProviderProof {
  /** Addresses and networks (CIDR) that may call; empty is any. */
  allowedAddresses: string[];
  signatureRequired: boolean;
  /** What a deposit may be signed with: the newest, and for a day the one before it. */
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
export const checkCredentialCall = defineCall<CredentialQuestion, CredentialAnswer>(
  '/internal/credentials/check',
  CredentialQuestion,
);
