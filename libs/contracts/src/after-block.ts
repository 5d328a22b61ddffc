import { IsBase64, IsDateString, IsUUID } from 'class-validator';
import { IsArrayOf } from './decorators';
import { defineCall } from './define';

/** Persons of one question: their ids are far below the limit of a body. */
export const MAX_BLOCKED_QUESTION = 500;

export class BlockedPerson {
  @IsUUID()
  cornerStoreId: string;

  /** Blind index of their phone (base64). */
  @IsBase64()
  phoneIndex: string;

  /** What was made for them later than this should not be. */
  @IsDateString()
  since: string;
}

class AfterBlockQuestion {
  @IsArrayOf(() => BlockedPerson, { max: MAX_BLOCKED_QUESTION })
  persons: BlockedPerson[];
}

interface AfterBlockAnswer {
  cornerStoreIds: string[];
}

/** For transactions and the notifier: which blocked persons got an order, or an SMS, since then. */
export const afterBlockCall = defineCall<AfterBlockQuestion, AfterBlockAnswer>(
  '/internal/after-block',
  AfterBlockQuestion,
);
