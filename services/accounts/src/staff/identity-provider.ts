import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { Configuration, IDToken } from 'openid-client';
import type { OpsScope } from '@fiado/contracts/caller';
import type { Clock } from '@fiado/contracts/clock';
import { AppError } from '@fiado/contracts/errors';
import type { AccountsConfig } from '../config';
import { parseProviderRoles, roleOfClaim } from './provider-roles.rules';

/** Time for one call to the identity provider, in seconds: a person waits for it. */
const TIMEOUT_SECONDS = 5;

/** How far a sign-in may be in the future, in seconds: the clocks of two machines differ. */
const MAX_AHEAD_SECONDS = 60;

/** Where the console takes browsers back. */
const RETURN_PATH = '/entrar/regreso';

/** The state of a sign-in until the browser comes back. */
export interface BegunSignIn {
  state: string;
  nonce: string;
  codeVerifier: string;
  maxAge: number;
}

/** The person, as the identity provider signed it. */
export interface ProvenIdentity {
  sub: string;
  /** Only an address that the identity provider has verified. */
  email: string | undefined;
  authTime: Date;
  /** Undefined where the provider does not decide roles. */
  role: OpsScope | undefined;
}

const load = () => import('openid-client');

/** A sign-in at the identity provider. */
export interface IdentityProvider {
  /** @param maxAge how long ago, in seconds, the person may have proved there who it is */
  begin(maxAge: number): Promise<BegunSignIn & { url: string }>;
  /**
   * Exchanges the code and checks the signed answer.
   * @param query of the URL that the browser came back to
   * @throws AppError SIGN_IN_NOT_ALLOWED where the provider refuses the person, or its claim stands for
   *   no role; SIGN_IN_NOT_VALID for whatever else is wrong
   */
  finish(query: string, begun: BegunSignIn): Promise<ProvenIdentity>;
}

/**
 * The identity provider (OpenID Connect, code with PKCE), or undefined where none is configured. It
 * is asked from here and not from the console, so that nothing that a client claims is believed.
 */
export function createIdentityProvider(
  config: AccountsConfig,
  clock: Clock,
  unknownKeyPauseMs?: number,
): IdentityProvider | undefined {
  if (config.OIDC_ISSUER === undefined) return undefined;
  const returnUrl = new URL(RETURN_PATH, config.CONSOLE_URL);
  let discovered: Promise<Discovered> | undefined;

  /** Discovered once; a failure is forgotten, so that the next sign-in tries again. */
  function configuration(): Promise<Discovered> {
    discovered ??= discover(config, unknownKeyPauseMs).catch((error: unknown) => {
      discovered = undefined;
      throw new AppError('SERVICE_UNAVAILABLE', { cause: error });
    });
    return discovered;
  }

  return {
    begin: async (maxAge) => beginAt((await configuration()).oidc, returnUrl, maxAge),
    finish: async (query, begun) => {
      const discovery = await configuration();
      try {
        const claims = await claimsAt(discovery, returnUrl, query, begun);
        return identityOf(claims, config, clock.now());
      } catch (error) {
        if (error instanceof AppError) throw error;
        const { AuthorizationResponseError } = await load();
        const isDenied =
          error instanceof AuthorizationResponseError && error.error === 'access_denied';
        throw new AppError(isDenied ? 'SIGN_IN_NOT_ALLOWED' : 'SIGN_IN_NOT_VALID', {
          cause: error,
        });
      }
    },
  };
}

/** The metadata that the identity provider publishes. */
interface Discovered {
  oidc: Configuration;
  checkSignature: CheckSignature;
}

/** @throws Error when it cannot be reached, or publishes no keys */
async function discover(config: AccountsConfig, unknownKeyPauseMs?: number): Promise<Discovered> {
  const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET, FIADO_MODE } = config;
  const { discovery, allowInsecureRequests } = await load();
  const oidc = await discovery(
    new URL(OIDC_ISSUER),
    OIDC_CLIENT_ID,
    OIDC_CLIENT_SECRET,
    undefined,
    {
      timeout: TIMEOUT_SECONDS,
      // For an identity provider on a developer's own machine.
      execute: FIADO_MODE === 'sandbox' ? [allowInsecureRequests] : [],
    },
  );
  const { jwks_uri: jwksUri, issuer } = oidc.serverMetadata();
  if (jwksUri === undefined) throw new Error('The identity provider publishes no keys');
  const audience = OIDC_CLIENT_ID;
  const checkSignature = createSignatureCheck({ jwksUri, issuer, audience }, unknownKeyPauseMs);
  return { oidc, checkSignature };
}

async function beginAt(
  configuration: Configuration,
  returnUrl: URL,
  maxAge: number,
): Promise<BegunSignIn & { url: string }> {
  const oidc = await load();
  const codeVerifier = oidc.randomPKCECodeVerifier();
  const begun = { state: oidc.randomState(), nonce: oidc.randomNonce(), codeVerifier, maxAge };
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: returnUrl.href,
    scope: 'openid email',
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state: begun.state,
    nonce: begun.nonce,
    max_age: String(maxAge),
  });
  return { ...begun, url: url.href };
}

/**
 * @throws Error for a code that is not valid, or an ID token that is not signed by the identity provider
 *   or not for this sign-in
 */
async function claimsAt(
  { oidc, checkSignature }: Discovered,
  returnUrl: URL,
  query: string,
  { state, nonce, codeVerifier, maxAge }: BegunSignIn,
): Promise<IDToken> {
  const { authorizationCodeGrant } = await load();
  const cameTo = new URL(returnUrl);
  cameTo.search = query;
  const tokens = await authorizationCodeGrant(oidc, cameTo, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    maxAge,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined) {
    throw new Error('there is no ID token');
  }
  await checkSignature(tokens.id_token);
  return claims;
}

/**
 * @throws Error when the time of the sign-in is missing, or in the future
 * @throws AppError SIGN_IN_NOT_ALLOWED when the provider decides roles, and gives none
 */
function identityOf(claims: IDToken, config: AccountsConfig, now: Date): ProvenIdentity {
  const { sub, email, email_verified: verified, auth_time: authTime } = claims;
  if (authTime === undefined) throw new Error('the ID token has no auth_time');
  // A sign-in of tomorrow would be fresh enough for every decision until then.
  if (authTime > now.getTime() / 1000 + MAX_AHEAD_SECONDS) {
    throw new Error('the auth_time of the ID token is in the future');
  }
  return {
    sub,
    email: verified === true && typeof email === 'string' ? email : undefined,
    authTime: new Date(authTime * 1000),
    role: config.OIDC_ROLE_CLAIM === undefined ? undefined : roleIn(claims, config),
  };
}

function roleIn(
  claims: IDToken,
  { OIDC_ROLE_CLAIM = '', OIDC_ROLES = '' }: AccountsConfig,
): OpsScope {
  const role = roleOfClaim(parseProviderRoles(OIDC_ROLES) ?? new Map(), claims[OIDC_ROLE_CLAIM]);
  if (role === undefined) {
    const cause = new Error(`${OIDC_ROLE_CLAIM} of the ID token stands for no role`);
    throw new AppError('SIGN_IN_NOT_ALLOWED', { cause });
  }
  return role;
}

/**
 * Algorithms of an ID token: those with a public key. Neither `none`, nor HMAC, whose key may be a public
 * one that an attacker knows.
 */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Time between two reads of the keys for an unknown `kid`: a flood of tokens must not become a flood of reads. */
const UNKNOWN_KEY_PAUSE_MS = 60_000;

/** Keys are read again after this time, so that one that was withdrawn ends. */
const KEYS_LIFE_MS = 600_000;

/** Time for one read of the keys: a person waits for it. */
const TIMEOUT_MS = 5_000;

/** @throws Error when the token is not signed by a key of the identity provider */
type CheckSignature = (idToken: string) => Promise<void>;

/**
 * Checks the signature of ID tokens with the keys of the identity provider, whatever algorithms it claims
 * to support.
 */
function createSignatureCheck(
  { jwksUri, issuer, audience }: { jwksUri: string; issuer: string; audience: string },
  unknownKeyPauseMs = UNKNOWN_KEY_PAUSE_MS,
): CheckSignature {
  const keys = createRemoteJWKSet(new URL(jwksUri), {
    cooldownDuration: unknownKeyPauseMs,
    cacheMaxAge: KEYS_LIFE_MS,
    timeoutDuration: TIMEOUT_MS,
  });
  return async (idToken) => {
    await jwtVerify(idToken, keys, { algorithms: ALGORITHMS, issuer, audience });
  };
}
