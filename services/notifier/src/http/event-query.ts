import { LimitQuery } from '@fiado/contracts/page';
import { IsIn, IsOptional } from 'class-validator';
import { IsDateText } from '@fiado/contracts/decorators';
import { EVENT_PATTERNS } from '../domain/event-pattern';

/** The events or deliveries of a list. Each list has a cursor of its own kind. */
export class EventQuery extends LimitQuery {
  /** A type, or a group such as `transaction.*`. */
  @IsOptional()
  @IsIn(EVENT_PATTERNS)
  type?: string;

  /** First day or moment. */
  @IsOptional()
  @IsDateText()
  from?: string;

  /** Day or moment before which it happened. */
  @IsOptional()
  @IsDateText()
  to?: string;
}
