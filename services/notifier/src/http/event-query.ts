import { LimitQuery } from '@fiado/shared/contracts/page';
import { IsIn, IsOptional } from 'class-validator';
import { IsText } from '@fiado/shared/contracts/decorators';
import { EVENT_PATTERNS } from '../domain/event-pattern';

/** Longest date or time, in characters. */
export const MAX_MOMENT_LENGTH = 40;

/** The events or deliveries of a list. Each list has a cursor of its own kind. */
export class EventQuery extends LimitQuery {
  /** A type, or a group such as `transaction.*`. */
  @IsOptional()
  @IsIn(EVENT_PATTERNS)
  type?: string;

  /** First day or moment. */
  @IsOptional()
  @IsText(MAX_MOMENT_LENGTH)
  from?: string;

  /** Day or moment before which it happened. */
  @IsOptional()
  @IsText(MAX_MOMENT_LENGTH)
  to?: string;
}
