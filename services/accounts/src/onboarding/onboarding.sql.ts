import type { Db } from '@fiado/chassis/db/database';
import { queryOne } from '@fiado/chassis/db/query';
import type { CornerStoreStatus } from '@fiado/contracts/corner-store';
import type { OnboardingStep } from '@fiado/contracts/onboarding';

/** The data of an onboarding step; null leaves a field unchanged. */
export interface StepChanges {
  step: OnboardingStep;
  status: CornerStoreStatus;
  /** Sealed. */
  name: Buffer | null;
  /** Sealed JSON. */
  information: Buffer | null;
}

/**
 * Writes a step into its store, which is locked. A new status raises the version of the snapshot.
 * @returns all the steps that are taken now
 */
export async function writeStep(
  tx: Db,
  cornerStoreId: string,
  { step, status, name, information }: StepChanges,
): Promise<OnboardingStep[]> {
  const { steps } = await queryOne<{ steps: OnboardingStep[] }>(
    tx,
    `UPDATE corner_stores
        SET onboarding_steps = array_append(array_remove(onboarding_steps, $2), $2), status = $3,
            version = CASE WHEN status = $3 THEN version ELSE version + 1 END,
            name = coalesce($4, name), information = coalesce($5, information), updated_at = now()
      WHERE id = $1 RETURNING onboarding_steps AS steps`,
    [cornerStoreId, step, status, name, information],
  );
  return steps;
}

/** What was uploaded before an image. */
export interface CountedImages {
  /** Images of this store and step that the wholesaler has sent. */
  sent: number;
  /** Whether the very same image is among all of this store and step. */
  known: boolean;
  /** Images of the wholesaler that were kept in the last 24 hours, and their bytes. */
  today: number;
  bytesToday: number;
}

export function countImages(
  db: Db,
  userId: string,
  { step, sha256, wholesalerId }: { step: OnboardingStep; sha256: Buffer; wholesalerId: string },
): Promise<CountedImages> {
  return queryOne<CountedImages>(
    db,
    `SELECT of_step.sent, of_step.known, of_day.today, of_day."bytesToday"
       FROM (SELECT count(*) FILTER (WHERE wholesaler_id = $4) AS sent,
                    coalesce(bool_or(sha256 = $3), false) AS known
               FROM onboarding_documents
              WHERE corner_store_id = (SELECT id FROM corner_stores WHERE user_id = $1)
                AND step = $2) AS of_step,
            (SELECT count(*) AS today, coalesce(sum(size_bytes), 0)::bigint AS "bytesToday"
               FROM onboarding_documents
              WHERE wholesaler_id = $4 AND created_at > now() - interval '24 hours') AS of_day`,
    [userId, step, sha256, wholesalerId],
  );
}
