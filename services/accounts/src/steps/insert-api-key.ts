import type { Transaction } from '@fiado/chassis/db/database';
import { insertRow } from '@fiado/chassis/db/rows';
import type { Scope } from '@fiado/contracts/scopes';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { newApiKey } from '../domain/api-key';

/** A key as it is shown, once: only its hash is kept. */
export interface IssuedApiKey {
  apiKeyId: string;
  apiKey: string;
}

/** The party that a key belongs to. */
export interface KeyOwner {
  kind: 'wholesaler' | 'provider';
  id: string;
}

export interface KeyTerms {
  /** Null is all that keys of its kind may. */
  scopes: Scope[] | null;
  /** Null is never. */
  expiresAt: Date | null;
}

/** Inserts a new key of a party. */
export async function insertApiKey(
  { config }: Context,
  tx: Transaction,
  owner: KeyOwner,
  { scopes, expiresAt }: KeyTerms = { scopes: null, expiresAt: null },
): Promise<IssuedApiKey> {
  const { apiKey, keyHash } = newApiKey(config.FIADO_MODE);
  const apiKeyId = newId();
  await insertRow(tx, 'api_keys', {
    id: apiKeyId,
    kind: owner.kind,
    wholesalerId: owner.kind === 'wholesaler' ? owner.id : null,
    paymentProviderId: owner.kind === 'provider' ? owner.id : null,
    keyHash,
    scopes,
    expiresAt,
  });
  return { apiKeyId, apiKey };
}
