import { IsString } from 'class-validator';
import type { Caller } from '../chassis/internal-token';

/** POST /internal/credentials/check of accounts: what the gateway asks for each credential. */
export class CredentialQuestion {
  /** The key or token alone, without its scheme. */
  @IsString()
  credential: string;
}

/** Answered when the credential is valid; otherwise the error is UNAUTHORIZED. */
export interface CredentialAnswer {
  caller: Caller;
}
