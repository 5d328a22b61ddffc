import type { Db } from '@fiado/chassis/db/database';
import { collisionsOf } from '@fiado/chassis/db/folded-keys';
import { query } from '@fiado/chassis/db/query';
import type { Invariant } from '@fiado/chassis/invariants/scans';
import { readingsOf } from '../debts/payment-reference.rules';
import { findReferences } from '../debts/references';
import type { Deposit } from '../deposits/deposit';
import {
  DEPOSIT_KEY,
  depositHash,
  type DepositValues,
  valuesOfBody,
} from '../deposits/deposit.rules';
import type { DepositRow } from '../deposits/deposit.entity';

/** Checks of deposits with the ids $1. */
export const CHECKS_OF_DEPOSITS: Invariant[] = [
  {
    // A deposit that was applied twice would have paid twice its amount.
    name: 'each applied deposit is allocated in full, once, and no other is allocated',
    violations: `
      SELECT d.id AS "depositId", d.status, d.valor_cents, coalesce(paid.cents, 0) AS "paidCents",
             coalesce(kept.cents, 0) AS "balanceCents",
             coalesce(recovered.cents, 0) AS "recoveredCents"
        FROM deposits d
        -- What was taken back again counts against it.
        LEFT JOIN (SELECT a.deposit_id,
                          -sum(e.interest_cents + e.iva_cents + e.principal_cents)::bigint AS cents
                     FROM allocations a JOIN receivable_entries e ON e.allocation_id = a.id
                    WHERE a.deposit_id = ANY($1) GROUP BY a.deposit_id) paid
               ON paid.deposit_id = d.id
        -- The ledger has an index by user.
        LEFT JOIN (SELECT e.deposit_id, sum(e.cents)::bigint AS cents
                     FROM credit_balance_entries e
                    WHERE e.user_id IN (SELECT user_id FROM deposits WHERE id = ANY($1))
                      AND e.deposit_id = ANY($1)
                    GROUP BY e.deposit_id) kept
               ON kept.deposit_id = d.id
        LEFT JOIN (SELECT deposit_id, -sum(cents)::bigint AS cents
                     FROM recovery_entries WHERE deposit_id = ANY($1)
                    GROUP BY deposit_id) recovered ON recovered.deposit_id = d.id
       WHERE d.id = ANY($1)
         AND coalesce(paid.cents, 0) + coalesce(kept.cents, 0) + coalesce(recovered.cents, 0)
             <> CASE d.status WHEN 'applied' THEN d.valor_cents ELSE 0 END`,
  },
  {
    // A round ends with an unassignment: `unassignments` is the number of the current one.
    name: 'the status of each deposit, its user and the decisions on it agree',
    violations: `
      SELECT d.id AS "depositId", d.status, d.user_id, d.unmatched_reason, d.unassignments,
             decided.assigned, decided.unassigned, decided.reversed, decided.corner_store_id,
             b.corner_store_id AS "userCornerStoreId"
        FROM deposits d
        LEFT JOIN credit_balances b USING (user_id)
        CROSS JOIN LATERAL (
          SELECT count(*) FILTER (WHERE decision = 'assigned' AND unassignments = d.unassignments)
                   AS assigned,
                 count(*) FILTER (WHERE decision = 'unassigned' AND unassignments < d.unassignments)
                   AS unassigned,
                 count(*) FILTER (WHERE decision = 'reversed') AS reversed,
                 count(*) FILTER (WHERE unassignments > d.unassignments
                                     OR decision = 'unassigned' AND unassignments = d.unassignments)
                   AS later,
                 (array_agg(corner_store_id) FILTER (
                   WHERE decision = 'assigned' AND unassignments = d.unassignments))[1]
                   AS corner_store_id
            FROM deposit_decisions WHERE deposit_id = d.id) decided
       WHERE d.id = ANY($1)
         AND ((d.status = 'reversed') <> (decided.reversed > 0)
              OR decided.unassigned <> d.unassignments OR decided.later > 0
              OR CASE d.status
                 WHEN 'applied'
                 -- What was unmatched is applied by a decision alone.
                 THEN d.unmatched_reason IS NOT NULL AND decided.assigned = 0
                 WHEN 'reversed' THEN false
                 ELSE d.user_id IS NOT NULL OR decided.assigned > 0
                      OR d.status = 'received' AND d.unmatched_reason IS NOT NULL END
              OR decided.assigned > 0 AND d.user_id IS NOT NULL
                 AND decided.corner_store_id IS DISTINCT FROM b.corner_store_id)`,
  },
  {
    name: 'each deposit has the values of the body that its provider sent',
    violations: async (db, ids) => {
      const rows = await query<StoredDeposit>(
        db,
        `SELECT id, id_factura, numero_referencia, valor_cents, fecha_pago,
                clave_de_pago, body_hash, body
           FROM deposits d WHERE id = ANY($1) AND NOT (${IS_ERASED})`,
        [ids],
      );
      return rows
        .map((row) => ({ depositId: row.id, differing: differingFields(row) }))
        .filter(({ differing }) => differing.length > 0);
    },
  },
  {
    name: 'no deposit has the claveDePago of an earlier one, spelled otherwise',
    violations: (db, ids) => collisionsOf(db, DEPOSIT_KEY, ids),
  },
  {
    name: 'each deposit pays the owner of its reference, or was assigned by a decision',
    violations: paidToStrangers,
  },
];

type StoredDeposit = Pick<Deposit, keyof DepositValues | 'id' | 'bodyHash' | 'body'>;

/** SQL: whether a deposit `d` has no text because its payer was erased. */
const IS_ERASED = `d.body = '' AND d.clave_de_pago ~ '^erased-[0-9a-f]{12}$'
  AND concat(d.id_factura, d.numero_referencia, d.fecha_pago) = ''`;

function differingFields(row: StoredDeposit): string[] {
  const values = valuesOfBody(row.body);
  if (values === undefined) return ['body'];
  const { idFactura, numeroReferencia, valorCents, fechaPago, claveDePago } = values;
  return [
    // A long one is truncated.
    ...(idFactura.startsWith(row.idFactura) ? [] : ['idFactura']),
    ...(numeroReferencia.startsWith(row.numeroReferencia) ? [] : ['numeroReferencia']),
    ...(valorCents === row.valorCents ? [] : ['valor']),
    ...(fechaPago === row.fechaPago ? [] : ['fechaPago']),
    ...(claveDePago === row.claveDePago ? [] : ['claveDePago']),
    ...(depositHash(values).equals(row.bodyHash) ? [] : ['bodyHash']),
  ];
}

/** Applied deposits without a decision whose references do not lead to their user. An erased one has no reference. */
async function paidToStrangers(db: Db, ids: string[]): Promise<object[]> {
  const deposits = await query<
    Pick<Deposit, 'id' | 'idFactura' | 'numeroReferencia'> & {
      userId: NonNullable<DepositRow['userId']>;
    }
  >(
    db,
    `SELECT id, id_factura, numero_referencia, user_id FROM deposits d
      WHERE id = ANY($1) AND status = 'applied' AND NOT (${IS_ERASED}) AND NOT EXISTS (
        SELECT FROM deposit_decisions
         WHERE deposit_id = d.id AND decision = 'assigned' AND unassignments = d.unassignments)`,
    [ids],
  );
  const known = await findReferences(db, deposits.flatMap(readingsOf));
  const owners = new Set(
    known.map(({ kind, reference, userId }) => `${kind} ${reference} ${userId}`),
  );
  return deposits
    .filter(
      ({ userId, ...texts }) =>
        !readingsOf(texts).some(({ kind, reference }) =>
          owners.has(`${kind} ${reference} ${userId}`),
        ),
    )
    .map(({ id: depositId, userId }) => ({ depositId, userId }));
}
