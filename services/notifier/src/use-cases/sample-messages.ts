import type { Context } from '../context';
import { oldestDueSeconds } from '../db/messages.repository';
import { setOldestDue } from '../metrics';

/** Tells how far behind the sending is. */
export async function sampleMessages({ db }: Pick<Context, 'db'>): Promise<void> {
  setOldestDue({}, await oldestDueSeconds(db));
}
