import type { EntityManager } from 'typeorm';
import { nextNumber } from '../db/credit-balances.repository';
import { findReferences } from '../db/receivables.repository';
import { readingsOf, referenceOf, type ReferenceKind } from '../domain/payment-reference';

/**
 * A new payment reference. One that can be read as a reference in use is passed over: one of an
 * earlier release, or of another key.
 */
export async function nextReference(tx: EntityManager, kind: ReferenceKind): Promise<string> {
  for (;;) {
    const { number, key } = await nextNumber(tx, kind);
    const reference = referenceOf(kind, number, key);
    const readings = readingsOf({ idFactura: '', numeroReferencia: '', [kind]: reference });
    if ((await findReferences(tx, readings)).length === 0) return reference;
  }
}
