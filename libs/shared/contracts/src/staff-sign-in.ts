import { IsBoolean, IsObject, IsOptional } from './class-validator';
import { defineCall } from './define';
import { IsNonEmptyText, IsText } from './decorators';
import type { OpsScope } from './caller';

/** Tokens have some 60 characters; what is longer is none, and not worth a look-up. */
const MAX_TOKEN = 100;
/** Longest URL that an identity provider may send a browser back to, in characters. */
const MAX_CALLBACK_URL = 8_000;
/** Longest text of a browser's name or address that is kept, in characters. */
export const MAX_DEVICE_TEXT = 200;

/**
 * Steps of sign-ins of one address in a second that the gateway takes, of people without a credential.
 * The console asks for all of its people from one address.
 */
export const SIGN_INS_PER_SECOND = 100;

/**
 * Uses of sessions of one address in a second that the gateway takes, beside the steps of sign-ins: the
 * console uses one for each page, and those who sign in must not use up what the others need.
 */
export const SESSION_USES_PER_SECOND = 1_000;

/** What the console tells about the browser, for the person's own list of sessions. */
class SignInDevice {
  @IsOptional()
  @IsText(MAX_DEVICE_TEXT)
  address?: string;

  @IsOptional()
  @IsText(MAX_DEVICE_TEXT)
  agent?: string;
}

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
      /** Whether the person may come in without a passkey: in a sandbox only. */
      passkeyOptional: boolean;
    };

export interface PasskeyOptions {
  /** For `navigator.credentials`, in the JSON form of WebAuthn Level 3. */
  options: object;
}

export class InvitationSignIn extends SignInDevice {
  @IsNonEmptyText(MAX_TOKEN)
  invitationToken: string;
}

export class PasskeyEnrolment extends InvitationSignIn {
  /** PublicKeyCredential.toJSON(). */
  @IsObject()
  response: object;
}

/** An empty body. */
class NoQuestion {}

/** Which ways to sign in this installation has. */
export interface SignInWays {
  identityProvider: boolean;
}

export class PasskeySignIn extends SignInDevice {
  @IsObject()
  response: object;

  /** Token of the session that is confirmed; it ends, and a new one takes its place. */
  @IsOptional()
  @IsNonEmptyText(MAX_TOKEN)
  sessionToken?: string;
}

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

/** The ways to sign in that this installation has. */
export const signInWaysCall = defineCall<SignInWays>()('/v1/sign-in/ways', NoQuestion);

/** What an invitation is for. Changes nothing. */
export const openInvitationCall = defineCall<InvitationAnswer>()(
  '/v1/sign-in/invitation',
  InvitationQuestion,
);

/** Begins the enrolment of a passkey. */
export const beginPasskeyEnrolmentCall = defineCall<PasskeyOptions>()(
  '/v1/sign-in/passkey-creation',
  InvitationQuestion,
);

/** The passkey that the browser made for an invitation. */
export const enrolPasskeyCall = defineCall<NewStaffSession>()(
  '/v1/sign-in/enrol',
  PasskeyEnrolment,
);

/** Signs in by an invitation alone. Only in a sandbox. */
export const invitationSignInCall = defineCall<NewStaffSession>()(
  '/v1/sign-in/link',
  InvitationSignIn,
);

/** Begins a sign-in with a passkey. */
export const beginPasskeySignInCall = defineCall<PasskeyOptions>()(
  '/v1/sign-in/passkey-request',
  NoQuestion,
);

/** The signature of the browser. */
export const passkeySignInCall = defineCall<NewStaffSession>()(
  '/v1/sign-in/passkey',
  PasskeySignIn,
);

/** Begins a sign-in at the identity provider. */
export const beginIdentityProviderSignInCall = defineCall<IdentityProviderAnswer>()(
  '/v1/sign-in/identity-provider',
  IdentityProviderQuestion,
);

/** The browser came back from the identity provider. */
export const identityProviderSignInCall = defineCall<NewStaffSession>()(
  '/v1/sign-in/identity-provider-return',
  IdentityProviderReturn,
);

/** A short-lived credential for a session. */
export const staffTokenCall = defineCall<StaffToken>()('/v1/sign-in/token', StaffSessionQuestion);

/** Ends a session. */
export const signOutCall = defineCall<object>()('/v1/sign-in/end', StaffSessionQuestion);
