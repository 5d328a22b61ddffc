import type { SnapshotsAnswer, SnapshotsQuestion } from '@fiado/contracts/corner-store';
import type { Context } from '../context';
import { customerSnapshots, wholesalerSnapshot } from '../db/snapshots.repository';

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
