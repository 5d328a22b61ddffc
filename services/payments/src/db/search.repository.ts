import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { SearchHit } from '@fiado/contracts/search';
import { REFERENCE_LENGTHS } from '../domain/payment-reference';

/** Whose debt or account a payment reference is; zeros at its head may be missing. */
export function searchReferences(db: Db, text: string): Promise<SearchHit[]> {
  if (!/^\d+$/.test(text)) return Promise.resolve([]);
  return query<SearchHit>(
    db,
    `SELECT 'transaction' AS kind, 'idFactura' AS "matchedBy", transaction_id AS id, wholesaler_id,
            corner_store_id, id_factura AS label
       FROM receivables WHERE id_factura IN ($1, $2)
     UNION ALL
     SELECT 'corner-store', 'numeroReferencia', corner_store_id, NULL, corner_store_id,
            numero_referencia
       FROM credit_balances WHERE numero_referencia IN ($1, $3)`,
    [
      text,
      text.padStart(REFERENCE_LENGTHS.idFactura, '0'),
      text.padStart(REFERENCE_LENGTHS.numeroReferencia, '0'),
    ],
  );
}
