import type { Db } from '@fiado/chassis/db/database';
import { findTimeline, REFUSALS_OF_STORE } from '@fiado/chassis/db/find-timeline';
import { queryRow } from '@fiado/chassis/db/query';
import {
  MAX_TIMELINE_PHONES,
  type TimelineEntry,
  type TimelineQuestion,
} from '@fiado/contracts/timeline';

/** Whose customer it became, its onboarding, verifications and phone, and what ops did. */
const PARTS = [
  `SELECT c.created_at AS at, 'customer.imported' AS type, c.wholesaler_id::text AS id,
          c.wholesaler_id, NULL::uuid AS subject_id,
          jsonb_build_object('externalId', c.external_id) AS details
     FROM customers c WHERE c.corner_store_id = $1`,
  `SELECT v.created_at, 'verification.started', v.id::text, v.wholesaler_id, v.id,
          jsonb_build_object('status', v.status, 'codeSends', v.sends, 'codeChecks', v.checks,
                             'codeExpiresAt', v.expires_at)
     FROM corner_stores s JOIN verifications v ON v.user_id = s.user_id WHERE s.id = $1`,
  `SELECT v.approved_at, 'verification.approved', v.id::text, v.wholesaler_id, v.id, '{}'::jsonb
     FROM corner_stores s JOIN verifications v ON v.user_id = s.user_id
    WHERE s.id = $1 AND v.approved_at IS NOT NULL`,
  `SELECT d.created_at, 'document.received', d.id::text, d.wholesaler_id, d.verification_id,
          jsonb_build_object('step', d.step)
     FROM onboarding_documents d WHERE d.corner_store_id = $1`,
  `SELECT p.changed_at, 'phone.changed', p.id::text, p.wholesaler_id, NULL::uuid,
          jsonb_strip_nulls(jsonb_build_object('heldUntil', p.held_until))
     FROM phone_changes p WHERE p.corner_store_id = $1`,
  `SELECT a.occurred_at, a.action, a.id::text, NULL::uuid, NULL::uuid,
          a.details || jsonb_build_object('actorKind', a.actor_kind, 'actorId', a.actor_id)
     FROM audit_log a
    WHERE a.object_id IN ($1, (SELECT user_id FROM corner_stores WHERE id = $1))`,
  REFUSALS_OF_STORE,
];

export function findAccountsTimeline(db: Db, question: TimelineQuestion): Promise<TimelineEntry[]> {
  return findTimeline(db, question, PARTS);
}

/** How the notifier knows a corner store. */
export interface Addressee {
  userId: string;
  /** Blind indexes of its phone and of those that it has confirmed. */
  phoneIndexes: Buffer[];
}

/** @returns undefined when there is no such corner store */
export function findAddressee(db: Db, cornerStoreId: string): Promise<Addressee | undefined> {
  return queryRow<Addressee>(
    db,
    `SELECT u.id AS "userId",
            array_prepend(u.phone_index, ARRAY(
              SELECT v.phone_index FROM verifications v
               WHERE v.user_id = u.id AND v.approved_at IS NOT NULL AND v.phone_index <> u.phone_index
               ORDER BY v.approved_at DESC LIMIT $2)) AS "phoneIndexes"
       FROM corner_stores s JOIN users u ON u.id = s.user_id WHERE s.id = $1`,
    [cornerStoreId, MAX_TIMELINE_PHONES - 1],
  );
}
