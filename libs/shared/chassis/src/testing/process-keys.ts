import { createHash, createPrivateKey } from 'node:crypto';
import { InternalTokens } from '../keys/internal-token';
import { processKeysOf, publicKeysText, type ProcessKeys } from '../keys/process-keys';
import { publicKeyText, signingKeysOf } from '@fiado/contracts/signing-keys';
import type { ProcessName } from '@fiado/contracts/process-names';

/** Begins the PKCS8 of every Ed25519 key; the 32 bytes of its seed follow (RFC 8410). */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * An Ed25519 key as the supervisor makes it: base64 of PKCS8 PEM. Drawn from its name, so that all
 * processes of a test have the same.
 */
export function testSigningKey(name: string): string {
  const seed = createHash('sha256').update(`a key of Fiado's tests: ${name}`).digest();
  const key = Buffer.concat([PKCS8_START, seed]);
  const pem = createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({
    format: 'pem',
    type: 'pkcs8',
  });
  return Buffer.from(pem).toString('base64');
}

const PUBLIC_KEYS = publicKeysText(testSigningKey);

/** The two variables that a process of a test has its keys from. */
export function testKeyVariables(process: ProcessName) {
  return {
    INTERNAL_TOKEN_PRIVATE_KEY: testSigningKey(process),
    INTERNAL_TOKEN_PUBLIC_KEYS: PUBLIC_KEYS,
  };
}

/** The variables of a process whose key no other process of the tests knows. */
export function strangeKeyVariables(process: ProcessName) {
  const key = testSigningKey(`${process}, but strange`);
  return {
    INTERNAL_TOKEN_PRIVATE_KEY: key,
    INTERNAL_TOKEN_PUBLIC_KEYS: `${process}=${publicKeyText(signingKeysOf(key))}`,
  };
}

export function strangeKeys(process: ProcessName): ProcessKeys {
  return processKeysOf(process, strangeKeyVariables(process));
}

const PROCESS_KEYS = new Map<ProcessName, ProcessKeys>();

/** The keys of a process of the tests. They are read once: each call of a test is signed with them. */
export function testProcessKeys(process: ProcessName): ProcessKeys {
  const keys = PROCESS_KEYS.get(process) ?? processKeysOf(process, testKeyVariables(process));
  PROCESS_KEYS.set(process, keys);
  return keys;
}

const TOKENS = new Map<ProcessName, InternalTokens>();

/** Kept, as a process keeps its own: a token is signed once for a caller, and not for each call. */
export function testTokens(process: ProcessName): InternalTokens {
  const tokens = TOKENS.get(process) ?? new InternalTokens(testProcessKeys(process));
  TOKENS.set(process, tokens);
  return tokens;
}
