import type { Db, Transaction } from '@fiado/chassis/db/database';
import { queryNamed, queryOne } from '@fiado/chassis/db/query';
import {
  type KnownReference,
  readingsOf,
  type ReferenceKind,
  referenceOf,
} from './payment-reference.rules';

const SEQUENCES: Record<ReferenceKind, string> = {
  idFactura: 'id_factura_numbers',
  numeroReferencia: 'numero_referencia_numbers',
};

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

/** Looks up the references that a typed text may mean. */
export function findReferences(
  db: Db,
  readings: Array<Pick<KnownReference, 'kind' | 'reference'>>,
): Promise<KnownReference[]> {
  const of = (kind: ReferenceKind) =>
    readings.filter((reading) => reading.kind === kind).map(({ reference }) => reference);
  return queryNamed<KnownReference>(
    db,
    'find-references',
    `SELECT 'idFactura' AS kind, id_factura AS reference, user_id,
            id AS "receivableId"
       FROM receivables WHERE id_factura = ANY($1::text[])
     UNION ALL
     SELECT 'numeroReferencia', numero_referencia, user_id, NULL
       FROM credit_balances WHERE numero_referencia = ANY($2::text[])`,
    [of('idFactura'), of('numeroReferencia')],
  );
}

/**
 * The next number of a kind's sequence, and the key that makes a reference of it. A database
 * transaction that is rolled back leaves a gap.
 */
function nextNumber(
  tx: Transaction,
  kind: ReferenceKind,
): Promise<{ number: number; key: Buffer }> {
  return queryOne<{ number: number; key: Buffer }>(
    tx,
    'SELECT nextval($1::regclass) AS number, key FROM reference_key',
    [SEQUENCES[kind]],
  );
}
