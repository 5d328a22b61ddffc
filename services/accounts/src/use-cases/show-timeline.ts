import { AppError } from '@fiado/contracts/errors';
import {
  messageTimelineCall,
  timelineCall,
  type MessageTimelineQuestion,
  type TimelineEntry,
  type TimelineQuestion,
} from '@fiado/contracts/timeline';
import type { Context } from '../context';
import { findAccountsTimeline, findAddressee } from '../db/timeline.repository';
import { answersOf, type AskedService } from '../steps/ask-services';

export interface ShowTimeline {
  cornerStoreId: string;
  from: Date | undefined;
  /** Excluded. */
  to: Date | undefined;
  /** The last entry of the page before. */
  before: Pick<TimelineEntry, 'atMicros' | 'key'> | undefined;
  limit: number;
}

export interface ShownEntry extends TimelineEntry {
  service: 'accounts' | AskedService;
}

export interface TimelinePage {
  entries: ShownEntry[];
  /** Where the next page begins; undefined on the last one. */
  next: ShownEntry | undefined;
  /** Services whose entries are not in the page, because they did not answer. */
  missing: AskedService[];
}

/**
 * A page of what happened to a corner store in all services, newest first. Each service is asked
 * for one entry more than the page holds, and the newest of all make the page.
 * @throws AppError CORNER_STORE_NOT_FOUND
 */
export async function showTimeline(
  context: Context,
  { cornerStoreId, from, to, before, limit }: ShowTimeline,
): Promise<TimelinePage> {
  const { db, transactions, payments, messages } = context;
  const addressee = await findAddressee(db, cornerStoreId);
  if (addressee === undefined) throw new AppError('CORNER_STORE_NOT_FOUND');
  const question = {
    cornerStoreId,
    from: from?.toISOString(),
    to: to?.toISOString(),
    beforeMicros: before?.atMicros,
    beforeKey: before?.key,
    limit: limit + 1,
  } satisfies TimelineQuestion;
  const toNotifier: MessageTimelineQuestion = {
    ...question,
    userId: addressee.userId,
    phoneIndexes: addressee.phoneIndexes.map((index) => index.toString('base64')),
  };
  const [own, { answers, missing }] = await Promise.all([
    findAccountsTimeline(db, question),
    answersOf(context, {
      transactions: transactions.ask(timelineCall, question),
      payments: payments.ask(timelineCall, question),
      notifier: messages.ask(messageTimelineCall, toNotifier),
    }),
  ]);
  const all: ShownEntry[] = [
    ...own.map((entry) => ({ ...entry, service: 'accounts' as const })),
    ...answers.flatMap(({ service, answer }) =>
      answer.entries.map((entry) => ({ ...entry, service })),
    ),
  ].sort(newestFirst);
  const entries = all.slice(0, limit);
  return { entries, next: all.length > limit ? entries.at(-1) : undefined, missing };
}

/** The order of findTimeline: keys are ASCII, which both compare byte by byte. */
function newestFirst(a: TimelineEntry, b: TimelineEntry): number {
  if (a.atMicros !== b.atMicros) return b.atMicros - a.atMicros;
  return a.key < b.key ? 1 : -1;
}
