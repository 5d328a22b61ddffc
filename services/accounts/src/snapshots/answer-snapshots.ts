import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { BATCH_BODY_LIMIT, BATCH_MAX_VALUES } from '@fiado/contracts/body-limits';
import {
  type SnapshotsAnswer,
  snapshotsCall,
  type SnapshotsQuestion,
} from '@fiado/contracts/corner-store';
import type { Context } from '../context';
import { customerSnapshots, wholesalerSnapshot } from './snapshots.sql';

export const answerSnapshotsEndpoint = internalEndpoint({
  call: snapshotsCall,
  allow: ['service:transactions'],
  bodyLimit: BATCH_BODY_LIMIT,
  maxValues: BATCH_MAX_VALUES,
  handle: answerSnapshots,
});

/** Answers transactions before it refuses orders: two statements for any number of stores. */
export async function answerSnapshots(
  { db }: Context,
  question: SnapshotsQuestion,
): Promise<SnapshotsAnswer> {
  const [wholesaler, cornerStores] = await Promise.all([
    wholesalerSnapshot(db, question.wholesalerId),
    customerSnapshots(db, question.wholesalerId, question),
  ]);
  return { wholesaler, cornerStores };
}
