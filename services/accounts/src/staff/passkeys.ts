import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { CHALLENGE_LIFE_MS, type StaffCredential } from './sign-in.sql';

/** Of the whole library only this is used, and loaded when somebody signs in: it takes half a second. */
const load = () => import('@simplewebauthn/server');

/** Whom a new passkey is for. */
interface PasskeyOwner {
  id: string;
  email: string;
  name: string;
}

/** Passkeys of the console at that address. Each asks for the person's finger, face or PIN. */
export function createPasskeys(consoleUrl: string) {
  const { origin, hostname } = new URL(consoleUrl);

  return {
    /** Options for the browser to make a passkey. */
    async creationOptions({ id, email, name }: PasskeyOwner) {
      const { generateRegistrationOptions } = await load();
      return generateRegistrationOptions({
        rpName: 'Fiado',
        rpID: hostname,
        userID: new Uint8Array(Buffer.from(id)),
        userName: email,
        userDisplayName: name,
        timeout: CHALLENGE_LIFE_MS,
        // Found by the authenticator itself, so that nobody types an address.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
    },

    /** Options for the browser to sign with any passkey that it has of this console. */
    async requestOptions() {
      const { generateAuthenticationOptions } = await load();
      return generateAuthenticationOptions({
        rpID: hostname,
        userVerification: 'required',
        timeout: CHALLENGE_LIFE_MS,
      });
    },

    /** @returns undefined when the browser's answer is not valid for that challenge and console */
    async verifyCreation(
      response: object,
      challenge: string,
    ): Promise<Omit<StaffCredential, 'staffId'> | undefined> {
      const { verifyRegistrationResponse } = await load();
      const verified = await orUndefined(
        verifyRegistrationResponse({
          response: response as RegistrationResponseJSON,
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: hostname,
        }),
      );
      if (verified?.verified !== true) return undefined;
      const { id, publicKey, counter } = verified.registrationInfo.credential;
      return { id, publicKey: Buffer.from(publicKey), counter };
    },

    /** @returns the count of signatures, or undefined when the signature is not valid */
    async verifySignature(
      response: object,
      challenge: string,
      { id, publicKey, counter }: StaffCredential,
    ): Promise<number | undefined> {
      const { verifyAuthenticationResponse } = await load();
      const verified = await orUndefined(
        verifyAuthenticationResponse({
          response: response as AuthenticationResponseJSON,
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: hostname,
          credential: { id, publicKey: new Uint8Array(publicKey), counter },
        }),
      );
      return verified?.verified === true ? verified.authenticationInfo.newCounter : undefined;
    },
  };
}

export type Passkeys = ReturnType<typeof createPasskeys>;

/** The library throws for much of what a browser may send; none of it is our fault. */
function orUndefined<Verified>(verification: Promise<Verified>): Promise<Verified | undefined> {
  return verification.catch(() => undefined);
}

/**
 * The challenge that a browser's answer is about, as it claims: it only leads to the attempt that was
 * begun. The signature over it is checked afterwards.
 * @returns undefined for an answer that has none
 */
export function challengeIn(response: object): string | undefined {
  const { response: inner } = response as { response?: { clientDataJSON?: unknown } };
  const clientData = Object(inner).clientDataJSON as unknown;
  if (typeof clientData !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString());
    const { challenge } = Object(parsed) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}
