import { IsString } from 'class-validator';
import type { Caller } from './caller';

/** POST /internal/credentials/check of accounts: what the gateway asks for each credential. */
export class CredentialQuestion {
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
