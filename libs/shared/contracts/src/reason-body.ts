import { IsOptional } from './class-validator';
import { About } from './about';
import { IsNonEmptyText } from './decorators';

/** A reason of one or two sentences, in characters. */
export const MAX_REASON_LENGTH = 500;

/** The body of an operation for which a reason must be given. */
export class ReasonBody {
  @IsNonEmptyText(MAX_REASON_LENGTH)
  reason: string;
}

/** The body of a change that may wait for a second person. */
export class AskedReasonBody {
  @About(
    'Why it is asked for: a second person reads it before deciding',
    'Agreed in the new contract',
  )
  @IsOptional()
  @IsNonEmptyText(MAX_REASON_LENGTH)
  reason?: string;
}
