import { newId } from '@fiado/contracts/new-id';
import type { Envelope } from '@fiado/contracts/define';
import type { BundledRow } from './signed-envelope';

/**
 * A bundle: jobs for one queue that left their outbox together, as one job of the queue. It costs
 * one signature, one add, one fetch and one completion. Each job inside keeps its id, request and
 * trace. One that fails is added again as a job of its own, so a bundle itself has no dead letter
 * while its signature is valid.
 */
export const BUNDLE = 'bundle';

/** Most jobs of a bundle: it ends soon, and costs per job hardly fall any more. */
export const MAX_BUNDLED = 50;

const BUNDLE_ID = new RegExp(`^${BUNDLE}-(\\d{1,3})-`);

/** @param size number of jobs; it is part of the id, so that jobs are counted without their data */
export function newBundleId(size: number): string {
  return `${BUNDLE}-${size}-${newId()}`;
}

/** Number of jobs in the job of a queue with this id. */
export function sizeOf(jobId: string): number {
  return Number(BUNDLE_ID.exec(jobId)?.[1] ?? 1);
}

/** The return value of a worker for a bundle. */
export interface BundleResult {
  /** Ids of the jobs that were added again as jobs of their own; the others are done. */
  apart: string[];
}

/** The ids of a completed bundle that live on as jobs of their own. */
export function apartOf(result: unknown): Set<string> {
  const { apart } = Object(result) as Partial<BundleResult>;
  return new Set(Array.isArray(apart) ? apart : []);
}

/** The jobs in the data of a bundle that nobody has verified, as far as they can be read. */
export function unverifiedRows(data: unknown): Array<Pick<Envelope, 'id' | 'type'>> {
  const { rows } = Object(data) as { rows?: BundledRow[] };
  try {
    return (rows ?? []).map(({ text }) => {
      const { id, type } = JSON.parse(text) as Envelope;
      return { id, type };
    });
  } catch {
    return [];
  }
}
