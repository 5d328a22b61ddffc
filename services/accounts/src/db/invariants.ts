/** Something that must hold in this schema whenever no database transaction is open. */
export interface Invariant {
  name: string;
  /** Selects the rows at fault, $1 of them at most: ids and states, never personal data. */
  violations: string;
}

export const INVARIANTS: Invariant[] = [
  {
    name: 'every user has one corner store',
    violations: `
      SELECT u.id AS "userId" FROM users u
       WHERE NOT EXISTS (SELECT FROM corner_stores s WHERE s.user_id = u.id) LIMIT $1`,
  },
  {
    name: 'every corner store is the customer of a wholesaler',
    violations: `
      SELECT s.id AS "cornerStoreId" FROM corner_stores s
       WHERE NOT EXISTS (SELECT FROM customers c WHERE c.corner_store_id = s.id) LIMIT $1`,
  },
  {
    name: 'a wholesaler has one verification pending for a user at most',
    violations: `
      SELECT user_id AS "userId", wholesaler_id AS "wholesalerId", count(*) AS pending
        FROM verifications WHERE status = 'pending'
       GROUP BY user_id, wholesaler_id HAVING count(*) > 1 LIMIT $1`,
  },
  {
    name: 'a verification is of a user that its wholesaler has as a customer',
    violations: `
      SELECT v.id AS "verificationId" FROM verifications v
       WHERE NOT EXISTS (SELECT FROM customers c JOIN corner_stores s ON s.id = c.corner_store_id
                          WHERE s.user_id = v.user_id AND c.wholesaler_id = v.wholesaler_id)
       LIMIT $1`,
  },
  {
    name: 'an image step is taken exactly when there is an image of it',
    violations: `
      SELECT s.id AS "cornerStoreId", steps.taken, steps.shown
        FROM corner_stores s,
             LATERAL (SELECT
               ARRAY(SELECT step FROM unnest(s.onboarding_steps) step
                      WHERE step LIKE '%\\_IMAGE' OR step LIKE '%\\_IMAGE\\_%' ORDER BY step) AS taken,
               ARRAY(SELECT DISTINCT step FROM onboarding_documents d
                      WHERE d.corner_store_id = s.id ORDER BY step) AS shown) steps
       WHERE steps.taken <> steps.shown LIMIT $1`,
  },
  {
    name: 'the information of a corner store is kept exactly when it was told',
    violations: `
      SELECT id AS "cornerStoreId" FROM corner_stores
       WHERE (information IS NOT NULL) <> ('CORNER_STORE_INFORMATION' = ANY(onboarding_steps))
       LIMIT $1`,
  },
  {
    name: 'a corner store in manual validation has said that it is complete',
    violations: `
      SELECT id AS "cornerStoreId" FROM corner_stores
       WHERE status = 'in-manual-validation' AND NOT 'COMPLETED' = ANY(onboarding_steps) LIMIT $1`,
  },
  {
    name: 'nothing was told under a version that a corner store has not reached',
    violations: `
      SELECT o.id AS "messageId", s.id AS "cornerStoreId", s.version,
             o.aggregate_version AS "toldVersion"
        FROM outbox o JOIN corner_stores s ON s.id = o.aggregate_id
       WHERE o.type = 'corner-store.changed' AND o.aggregate_version > s.version LIMIT $1`,
  },
];
