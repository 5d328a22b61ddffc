import { IsNonEmptyText } from '@fiado/contracts/decorators';

/** A reason of one or two sentences, for the audit log. */
const MAX_REASON_LENGTH = 500;

/** Of an operation that ops has to explain. */
export class ReasonBody {
  @IsNonEmptyText(MAX_REASON_LENGTH)
  reason: string;
}
