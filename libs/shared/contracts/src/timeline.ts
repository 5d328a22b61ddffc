import { IsDateString, IsInt, IsOptional, IsUUID } from './class-validator';
import { AreBase64, IsCountFromOne, IsText } from './decorators';
import { defineCall } from './define';

/** Entries of a page at most; a service is asked for one more. */
export const MAX_TIMELINE_PAGE = 100;
/** Longer than any key, in characters. */
const MAX_KEY = 200;
/** Phones that a corner store had: the newest. */
export const MAX_TIMELINE_PHONES = 10;

export class TimelineQuestion {
  @IsUUID()
  cornerStoreId: string;

  /** Included. */
  @IsOptional()
  @IsDateString()
  from?: string | undefined;

  /** Excluded. */
  @IsOptional()
  @IsDateString()
  to?: string | undefined;

  /** Where the page begins: before this entry. Both or none. */
  @IsOptional()
  @IsInt()
  beforeMicros?: number | undefined;

  @IsOptional()
  @IsText(MAX_KEY)
  beforeKey?: string | undefined;

  @IsCountFromOne(MAX_TIMELINE_PAGE + 1)
  limit: number;
}

export class MessageTimelineQuestion extends TimelineQuestion {
  @IsUUID()
  userId: string;

  /** Blind indexes of the phones that the store has had (base64). */
  @AreBase64(MAX_TIMELINE_PHONES)
  phoneIndexes: string[];
}

/** Something that happened to a corner store. */
export interface TimelineEntry {
  /** Unique in all services; with the time it orders the entries. */
  key: string;
  /** Microseconds since 1970. */
  atMicros: number;
  /** Such as order.created. */
  type: string;
  wholesalerId: string | null;
  /** The order, verification, debt or other object that it happened to. */
  subjectId: string | null;
  /** Ids, amounts in pesos, times and states; never personal data but a masked phone. */
  details: Record<string, unknown>;
}

interface TimelineAnswer {
  entries: TimelineEntry[];
}

const TIMELINE_PATH = '/internal/timeline';

/** For transactions and payments: what happened to a corner store, newest first. */
export const timelineCall = defineCall<TimelineAnswer>()(TIMELINE_PATH, TimelineQuestion);

/** The same for the notifier, which finds messages by the index of a phone. */
export const messageTimelineCall = defineCall<TimelineAnswer>()(
  TIMELINE_PATH,
  MessageTimelineQuestion,
);
