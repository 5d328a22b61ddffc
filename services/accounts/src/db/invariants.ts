import type { Invariant } from '@fiado/shared/chassis/db/invariants';

/** The invariants of accounts, true whenever no database transaction is open. */
export const INVARIANTS: Invariant[] = [
  {
    name: 'every user has one corner store',
    violations: `
      SELECT u.id AS "userId" FROM users u
       WHERE NOT EXISTS (SELECT FROM corner_stores s WHERE s.user_id = u.id)`,
  },
  {
    name: 'every corner store is the customer of a wholesaler',
    violations: `
      SELECT s.id AS "cornerStoreId" FROM corner_stores s
       WHERE NOT EXISTS (SELECT FROM customers c WHERE c.corner_store_id = s.id)`,
  },
  {
    name: 'a wholesaler has at most one pending verification for a user',
    violations: `
      SELECT user_id, wholesaler_id, count(*) AS pending
        FROM verifications WHERE status = 'pending'
       GROUP BY user_id, wholesaler_id HAVING count(*) > 1`,
  },
  {
    name: 'each verification belongs to a customer of its wholesaler',
    violations: `
      SELECT v.id AS "verificationId" FROM verifications v
       WHERE NOT EXISTS (SELECT FROM customers c JOIN corner_stores s ON s.id = c.corner_store_id
                          WHERE s.user_id = v.user_id AND c.wholesaler_id = v.wholesaler_id)`,
  },
  {
    name: 'each completed image step has an image, and no other step has one',
    violations: `
      SELECT s.id AS "cornerStoreId", steps.taken, steps.shown
        FROM corner_stores s,
             LATERAL (SELECT
               ARRAY(SELECT step FROM unnest(s.onboarding_steps) step
                      WHERE step LIKE '%\\_IMAGE' OR step LIKE '%\\_IMAGE\\_%' ORDER BY step) AS taken,
               ARRAY(SELECT DISTINCT step FROM onboarding_documents d
                      WHERE d.corner_store_id = s.id ORDER BY step) AS shown) steps
       WHERE steps.taken <> steps.shown`,
  },
  {
    name: 'each completed information step has its information, and no other has one',
    violations: `
      SELECT id AS "cornerStoreId" FROM corner_stores
       WHERE (information IS NOT NULL) <> ('CORNER_STORE_INFORMATION' = ANY(onboarding_steps))`,
  },
  {
    name: 'each corner store in manual validation has completed its onboarding',
    violations: `
      SELECT id AS "cornerStoreId" FROM corner_stores
       WHERE status = 'in-manual-validation' AND NOT 'COMPLETED' = ANY(onboarding_steps)`,
  },
  {
    name: 'no event has a newer version than its corner store',
    violations: `
      SELECT o.id AS "messageId", s.id AS "cornerStoreId", s.version,
             o.aggregate_version AS "toldVersion"
        FROM outbox o JOIN corner_stores s ON s.id = o.aggregate_id
       WHERE o.type = 'corner-store.changed' AND o.aggregate_version > s.version`,
  },
];
