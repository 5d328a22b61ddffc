import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose';
import {
  startStandIn,
  type StandInAnswer,
  type StandInRequest,
} from '@fiado/chassis/testing/stand-in';

const ALGORITHM = 'ES256';
/** Of an ID token. */
const LIFE_SECONDS = 300;
const CLIENT = { id: 'fiado', secret: 'the-secret-at-the-identity-provider' };

/** The person whom the provider has in front of it, and what it claims about that person. */
interface Person extends JWTPayload {
  sub: string;
  email?: string;
  email_verified?: boolean;
}

/**
 * An identity provider on this machine (OpenID Connect: code, PKCE, ES256). It asks its person
 * nothing: whoever is sent to it is signed in at once.
 */
export interface IdentityProvider {
  /** The variables of accounts that make it theirs. */
  env: Record<string, string>;
  /** Who signs in next. */
  person: Person;
  /** Claims that replace those of a true answer: a wrong nonce, an old auth_time. */
  forged: JWTPayload;
  /** The keys that it publishes, and how often somebody has read them. */
  keys: JWK[];
  keyReads: number;
  /** Signs an ID token. A test replaces it with what an attacker would send. */
  sign: (claims: JWTPayload) => Promise<string>;
  stop(): Promise<void>;
}

/** A pair of keys: the public one as it is published, and what signs with the other. */
export async function newSigner(
  kid: string,
): Promise<{ key: JWK; sign: IdentityProvider['sign'] }> {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM);
  return {
    key: { ...(await exportJWK(publicKey)), kid, alg: ALGORITHM, use: 'sig' },
    sign: (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid }).sign(privateKey),
  };
}

interface Asked {
  redirectUri: string;
  challenge: string;
  nonce: string;
  person: Person;
  forged: JWTPayload;
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const { key, sign } = await newSigner('one');
  const codes = new Map<string, Asked>();

  const { url: issuer, stop } = await startStandIn(answer);

  async function answer({ path, body }: StandInRequest): Promise<StandInAnswer> {
    const url = new URL(path, issuer);
    if (url.pathname === '/.well-known/openid-configuration') {
      return { body: configurationOf(issuer) };
    }
    if (url.pathname === '/keys') {
      provider.keyReads += 1;
      return { body: { keys: provider.keys } };
    }
    if (url.pathname === '/authorize') {
      return { status: 302, headers: { location: authorize(url.searchParams) } };
    }
    if (url.pathname === '/token') return { body: await exchange(new URLSearchParams(body)) };
    return { status: 404 };
  }

  function authorize(query: URLSearchParams): string {
    const { redirect_uri: redirectUri = '', ...asked } = Object.fromEntries(query);
    expectEqual(asked['client_id'], CLIENT.id);
    expectEqual(asked['response_type'], 'code');
    expectEqual(asked['code_challenge_method'], 'S256');
    const { code_challenge: challenge = '', nonce = '', state = '' } = asked;
    const code = randomUUID();
    const { person, forged } = provider;
    codes.set(code, { redirectUri, challenge, nonce, person, forged });
    return `${redirectUri}?${new URLSearchParams({ code, state }).toString()}`;
  }

  async function exchange(form: URLSearchParams): Promise<object> {
    const asked = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    if (asked === undefined) throw new Error('The code is unknown or was used');
    expectEqual(form.get('client_id'), CLIENT.id);
    expectEqual(form.get('client_secret'), CLIENT.secret);
    expectEqual(form.get('redirect_uri'), asked.redirectUri);
    const verifier = form.get('code_verifier') ?? '';
    expectEqual(createHash('sha256').update(verifier).digest('base64url'), asked.challenge);
    const now = Math.floor(Date.now() / 1000);
    const ours = { iss: issuer, aud: CLIENT.id, nonce: asked.nonce, auth_time: now };
    const times = { iat: now, exp: now + LIFE_SECONDS };
    const idToken = await provider.sign({ ...asked.person, ...ours, ...times, ...asked.forged });
    return { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token: idToken };
  }

  const provider: IdentityProvider = {
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
    person: { sub: 'nobody' },
    forged: {},
    keys: [key],
    keyReads: 0,
    sign,
    stop,
  };
  return provider;
}

function configurationOf(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    // More than it uses: a client must not believe this list.
    id_token_signing_alg_values_supported: [ALGORITHM, 'HS256', 'none'],
    code_challenge_methods_supported: ['S256'],
  };
}

function expectEqual(given: unknown, expected: string): void {
  if (given !== expected) throw new Error(`${String(given)} is not ${expected}`);
}
