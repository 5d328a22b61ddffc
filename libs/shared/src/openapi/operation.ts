import type { ErrorCode } from '../contracts/errors';
import type { JsonSchema } from './json-schema';

/** The parts of the API, in the order in which a reader meets them. */
export const TAGS = {
  Accounts: 'Onboarding of a corner store: codes by SMS, steps, phone number.',
  'Corner stores': 'What a corner store may buy, by the wholesaler’s own customer id.',
  Transactions: 'Orders on credit, from the first code to the delivery.',
  Payments: 'What is owed, and deposits of payment providers.',
  Credentials: 'Access tokens and API keys.',
  'Ops: wholesalers': 'Wholesalers, payment providers and their customers.',
  'Ops: corner stores': 'Approval, limits and onboarding documents.',
  'Ops: transactions': 'Locks of orders that ops lifts.',
  'Ops: payments': 'Deposits that nobody owns, reversals and defaults.',
  'Ops: operation': 'Messages, jobs and the proof that all sums agree.',
} as const;

export type Tag = keyof typeof TAGS;

export type DtoClass = new () => object;

/** What a route answers when all went well. */
export interface SuccessAnswer {
  status: 200 | 201 | 204;
  /** Absent for 204 and for what is no JSON. */
  schema?: JsonSchema;
  example?: unknown;
  /** Of an answer that is no JSON, such as an image. */
  mediaType?: string;
}

/** What the document of the API says of a route beyond its method, path and callers. */
export interface Operation {
  /** Name of the operation, as generated clients call it. */
  id: string;
  tag: Tag;
  summary: string;
  /** What a reader could not guess. Markdown. */
  description?: string;
  /**
   * The class that checks the body: the one that the handler gives to validBody. Of several
   * classes each checks a part, and which of them apply depends on the body itself.
   */
  body?: DtoClass | DtoClass[];
  bodyExample?: unknown;
  /** The route can be called without its body. */
  bodyOptional?: true;
  /** Unknown fields are a problem: Fiado's own routes. Elsewhere they are ignored. */
  refusesUnknownFields?: true;
  /** The class that checks the query string. */
  query?: DtoClass;
  answer: SuccessAnswer;
  /** Codes of this route; those that any route may answer are added. */
  errors?: readonly ErrorCode[];
  /** The handler answers its errors as `{code, message}` (spec e2). */
  errorKeys?: 'code and message';
  /** The effect happens once for an Idempotency-Key. */
  takesIdempotencyKey?: true;
}
