import type { Transaction } from '@fiado/chassis/db/database';
import { insertRow } from '@fiado/chassis/db/rows';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { type SealedSecret } from '../db/webhook-secrets.repository';
import { WEBHOOK_SECRET_PURPOSE } from '../domain/sealing-purposes';
import { newSecret, type NewSecret, type SignatureKind } from '../domain/webhook-signature';

/** Makes a secret of an endpoint. It rests sealed under the id of its row. */
export async function addSecret(
  tx: Transaction,
  { sealer }: Pick<Context, 'sealer'>,
  endpointId: string,
  kind: SignatureKind,
): Promise<NewSecret> {
  const made = newSecret(kind);
  const id = newId();
  const sealed = sealer.seal(made.secret, WEBHOOK_SECRET_PURPOSE, id);
  const { publicKey } = made;
  await insertRow(tx, 'webhook_secrets', { id, endpointId, kind, sealed, publicKey });
  return made;
}

/** The text of a secret. @throws Error when ENCRYPTION_KEY is another */
export function openSecret(
  { sealer }: Pick<Context, 'sealer'>,
  { id, sealed }: Pick<SealedSecret, 'id' | 'sealed'>,
): string {
  return sealer.open(sealed, WEBHOOK_SECRET_PURPOSE, id);
}
