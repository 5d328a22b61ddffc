import { IsUUID, Max, Min } from './class-validator';
import { defineCall } from './define';

/** Messages that a question may be about, at most. */
export const MAX_SMS_ASKED = 1_000;

class UnknownNumbersQuestion {
  /** It set the numbers. */
  @IsUUID()
  wholesalerId: string;

  /** How many SMS wait for its budget. */
  @Min(1)
  @Max(MAX_SMS_ASKED)
  wanted: number;
}

interface UnknownNumbersAnswer {
  /** How many of them may be sent now; they are counted. */
  allowed: number;
}

/** For accounts: the notifier asks how many SMS may go to numbers that a wholesaler set and no code has proved. */
export const unknownNumbersCall = defineCall<UnknownNumbersAnswer>()(
  '/internal/unknown-numbers',
  UnknownNumbersQuestion,
);
