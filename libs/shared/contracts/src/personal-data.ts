import { IsBase64, IsDateString, IsIn, IsOptional, IsUUID } from './class-validator';
import { IsArrayOf, IsText } from './decorators';
import { defineCall } from './define';
import {
  ERASURE_PHASES,
  type ErasedColumnCount,
  type ErasurePhase,
  PersonKeys,
} from './jobs/privacy';

/** Rows of a page. */
export const PERSONAL_DATA_PAGE = 500;
/** Longer than the key of any row, in characters. */
const MAX_KEY = 500;

export class PersonalDataQuestion extends PersonKeys {
  /** Where the page begins: after this row of this table. Both or none. */
  @IsOptional()
  @IsText(MAX_KEY)
  table?: string;

  @IsOptional()
  @IsText(MAX_KEY)
  after?: string;
}

/** A row about a person: its fields in plain text. */
export interface PersonalRow {
  table: string;
  fields: Record<string, unknown>;
}

export interface PersonalDataAnswer {
  rows: PersonalRow[];
  /** Ids of the person's objects in this service; on the first page only. */
  objectIds: string[];
  /** Null after the last row. */
  next: { table: string; after: string } | null;
}

/** For each service but accounts: what it keeps of a person, in pages. */
export const personalDataCall = defineCall<PersonalDataAnswer>()(
  '/internal/personal-data',
  PersonalDataQuestion,
);

export class LeftoversQuestion extends PersonKeys {
  /** The phase whose result is checked. */
  @IsIn(ERASURE_PHASES)
  phase: ErasurePhase;
}

export interface LeftoversAnswer {
  left: ErasedColumnCount[];
  /** Ids of the person's objects in this service. */
  objectIds: string[];
}

/** For each service but accounts: what an erasure has left of a person, as counts. */
export const leftoversCall = defineCall<LeftoversAnswer>()(
  '/internal/personal-data/leftovers',
  LeftoversQuestion,
);

/** Persons of one question: their ids are far below the limit of a body. */
export const MAX_BLOCKED_QUESTION = 500;

export class BlockedPerson {
  @IsUUID()
  cornerStoreId: string;

  /** Blind index of their phone (base64). */
  @IsBase64()
  phoneIndex: string;

  /** Nothing should be made for the person after this time. */
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
export const afterBlockCall = defineCall<AfterBlockAnswer>()(
  '/internal/after-block',
  AfterBlockQuestion,
);
