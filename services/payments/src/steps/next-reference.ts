import type { Transaction } from '@fiado/chassis/db/database';
import { nextNumber } from '../db/credit-balances.repository';
import { findReferences } from '../db/receivables.repository';
import { readingsOf, referenceOf, type ReferenceKind } from '../domain/payment-reference';

/**
 * A new payment reference. Skips a reference that could be read as one in use, from an earlier
 * release or another key.
 */
export async function nextReference(tx: Transaction, kind: ReferenceKind): Promise<string> {
  for (;;) {
    const { number, key } = await nextNumber(tx, kind);
    const reference = referenceOf(kind, number, key);
    const readings = readingsOf({ idFactura: '', numeroReferencia: '', [kind]: reference });
    if ((await findReferences(tx, readings)).length === 0) return reference;
  }
}
