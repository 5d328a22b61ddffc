import type { SnapshotsAnswer, SnapshotsQuestion } from '@fiado/shared/contracts/corner-store';
import type { Context } from '../context';
import { customerSnapshots, wholesalerSnapshot } from '../db/snapshots.repository';

/** What transactions asks before it refuses: two statements, however many stores. */
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
