import { IsNonEmptyText } from './decorators';

/** A reason of one or two sentences, in characters. */
export const MAX_REASON_LENGTH = 500;

/** The body of an operation for which a reason must be given. */
export class ReasonBody {
  @IsNonEmptyText(MAX_REASON_LENGTH)
  reason: string;
}
