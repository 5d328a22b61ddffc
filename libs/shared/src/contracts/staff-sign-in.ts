import { IsBoolean, IsObject, IsOptional } from 'class-validator';
import { IsNonEmptyText, IsText } from './decorators';
import type { OpsScope } from './scopes';

/** Tokens have some 60 characters; what is longer is none, and not worth a look-up. */
const MAX_TOKEN = 100;
/** Longest URL that an identity provider may send a browser back to, in characters. */
const MAX_CALLBACK_URL = 8_000;
/** Longest text of a browser's name or address that is kept, in characters. */
export const MAX_DEVICE_TEXT = 200;

/**
 * Steps of sign-ins of one address in a second that the gateway takes, of people without a credential.
 * The console asks for all of its people from one address, once for each page.
 */
export const SIGN_INS_PER_SECOND = 100;

/** What the console tells about the browser, for the person's own list of sessions. */
class SignInDevice {
  @IsOptional()
  @IsText(MAX_DEVICE_TEXT)
  address?: string;

  @IsOptional()
  @IsText(MAX_DEVICE_TEXT)
  agent?: string;
}

/** POST /v1/sign-in/invitation: what an invitation is for. Changes nothing. */
export class InvitationQuestion {
  @IsNonEmptyText(MAX_TOKEN)
  invitationToken: string;
}

/** `valid` is false for a link that is unknown, used, replaced or past its 24 hours. */
export type InvitationAnswer =
  | { valid: false }
  | {
      valid: true;
      name: string;
      email: string;
      role: OpsScope;
      /** A sandbox lets its newcomer in without a passkey. */
      passkeyOptional: boolean;
    };

/** POST /v1/sign-in/passkey-creation: begins the enrolment of a passkey. */
export interface PasskeyOptions {
  /** For `navigator.credentials`, in the JSON form of WebAuthn Level 3. */
  options: object;
}

/** POST /v1/sign-in/enrol: the passkey that the browser made for an invitation. */
export class PasskeyEnrolment extends SignInDevice {
  @IsNonEmptyText(MAX_TOKEN)
  invitationToken: string;

  /** PublicKeyCredential.toJSON(). */
  @IsObject()
  response: object;
}

/** POST /v1/sign-in/link: signs in by an invitation alone. Only in a sandbox. */
export class InvitationSignIn extends SignInDevice {
  @IsNonEmptyText(MAX_TOKEN)
  invitationToken: string;
}

/** POST /v1/sign-in/ways, POST /v1/sign-in/passkey-request: nothing need be told. */
export class NoQuestion {}

/** Which ways to sign in this installation has. */
export interface SignInWays {
  identityProvider: boolean;
}

/** POST /v1/sign-in/passkey: what the browser signed. */
export class PasskeySignIn extends SignInDevice {
  @IsObject()
  response: object;

  /** Of the session that is confirmed, and ends; a new one takes its place. */
  @IsOptional()
  @IsNonEmptyText(MAX_TOKEN)
  sessionToken?: string;
}

/** POST /v1/sign-in/identity-provider: begins a sign-in at the identity provider. */
export class IdentityProviderQuestion {
  /** The person has to prove again who it is, for a session that exists. */
  @IsBoolean()
  again: boolean;
}

export interface IdentityProviderAnswer {
  /** Where the browser goes. */
  url: string;
  /** Kept in a cookie of the browser that began, and needed to end. */
  loginToken: string;
}

/** POST /v1/sign-in/identity-provider-return: the browser came back. */
export class IdentityProviderReturn extends SignInDevice {
  @IsNonEmptyText(MAX_TOKEN)
  loginToken: string;

  /** The query of the URL that the browser came back to. */
  @IsNonEmptyText(MAX_CALLBACK_URL)
  query: string;

  /** As in PasskeySignIn. */
  @IsOptional()
  @IsNonEmptyText(MAX_TOKEN)
  sessionToken?: string;
}

/** The token of a new session: shown once, kept in the browser's cookie. */
export interface NewStaffSession {
  sessionToken: string;
  /** ISO time at which it ends, however much it is used. */
  endsAt: string;
}

/** POST /v1/sign-in/token and /v1/sign-in/end: the token of a session. */
export class StaffSessionQuestion {
  @IsNonEmptyText(MAX_TOKEN)
  sessionToken: string;
}

/** A short-lived credential of the API for a session, and whose it is. */
export interface StaffToken {
  accessToken: string;
  sessionId: string;
  staffId: string;
  name: string;
  role: OpsScope;
  /** ISO time of the last strong sign-in. */
  authTime: string;
}
