import { LimitQuery } from '@fiado/shared/contracts/page';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
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
  @IsString()
  @MaxLength(MAX_MOMENT_LENGTH)
  from?: string;

  /** Day or moment before which it happened. */
  @IsOptional()
  @IsString()
  @MaxLength(MAX_MOMENT_LENGTH)
  to?: string;
}
