import type { ErrorCode, ErrorShape } from '@fiado/contracts/errors';
import * as t from './json-schema';

/** The parts of the API, in the order in which a reader meets them. */
export const TAGS = {
  Accounts: 'Onboarding of a corner store: codes by SMS, steps, phone number.',
  'Corner stores':
    'Status and available credit of corner stores, by the wholesaler’s own customer id.',
  Transactions: 'Orders on credit, from the first code to the delivery.',
  Payments: 'Debts, payment references and deposits of payment providers.',
  Statements: 'What the lender owes a wholesaler for its deliveries.',
  Events: 'What happened, as a list, and the endpoints that get it by webhook.',
  Webhooks: 'What Fiado sends to those endpoints: one for each type of event.',
  Sandbox: 'A sandbox of one’s own: customers, SMS, deposits and time. All are 404 in production.',
  Credentials: 'Access tokens and API keys.',
  'Ops: staff': 'The lender’s people, and how they are signed in.',
  'Ops: wholesalers': 'Wholesalers, payment providers and their customers.',
  'Ops: corner stores': 'Approval, limits and onboarding documents.',
  'Ops: privacy': 'What persons ask about their own data, and how it is answered.',
  'Ops: transactions': 'Unlock orders.',
  'Ops: payments': 'Unmatched deposits, reversals and defaults.',
  'Ops: statements': 'What the lender owes wholesalers, and paid.',
  'Ops: exports': 'Files of orders, debts and payments, made in the background.',
  'Ops: operation': 'Messages, jobs and invariants.',
} as const;

export type Tag = keyof typeof TAGS;

export type DtoClass = new () => object;

/** A kind of object that belongs to one wholesaler. The contract's tests make one of each, and try it as another. */
export type OwnedObject =
  | 'user'
  | 'account-code'
  | 'corner-store'
  | 'customer'
  | 'order'
  | 'order-code'
  /** An order by the wholesaler's own id. */
  | 'own-order-id'
  | 'statement'
  | 'webhook-endpoint'
  | 'delivery';

/** The part of an endpoint that the API document shows, beyond method, path and callers. */
export interface Operation {
  /** Name of the operation. */
  id: string;
  /**
   * Resource and method of the generated clients, such as `deposits.assign`; the command line derives its
   * command from it. An operation that answers a file has none.
   */
  as?: `${string}.${string}`;
  /** A second request has a second effect or another answer: clients repeat it after a 429 only. */
  once?: true;
  /**
   * The parameters and fields that name an object of a wholesaler, and the kind of object. For operations of
   * wholesalers.
   */
  names?: Readonly<Partial<Record<string, OwnedObject>>>;
  /** Fields of the answer that are secrets and never shown again. */
  shownOnce?: readonly string[];
  /** The fields of the items that the command line shows as columns. For answers that list items. */
  columns?: readonly string[];
  tag: Tag;
  summary: string;
  /** Facts that the other fields do not show. Markdown. */
  description?: string;
  /**
   * The class that checks the body. Of several classes each checks a part, and which of them apply
   * depends on the body itself: then the endpoint checks it.
   */
  body?: DtoClass | DtoClass[];
  bodyExample?: unknown;
  /** The endpoint can be called without its body. */
  bodyOptional?: true;
  /**
   * Unknown fields of the body and unknown parameters of the query are ignored, and named in
   * `Fiado-Ignored`: the specification's endpoints. One with nearly the name of a field that is absent is a
   * problem. Elsewhere each is a problem.
   */
  ignoresUnknown?: true;
  /** The class that checks the query string. */
  query?: DtoClass;
  /** Schema of a successful answer; `noContent` is a 204. */
  answer: t.JsonSchema;
  /** Status of a successful answer; 200 by default. */
  status?: 201 | 202;
  /** The header `Location` of the answer has the path of what was created. */
  hasLocation?: true;
  /** Media type of an answer that is not JSON, such as an image. */
  mediaType?: string;
  /** What the example of the answer has of its own, beyond the examples of the fields. */
  example?: unknown;
  /** Codes of this endpoint; those that any endpoint may answer are added. */
  errors?: readonly ErrorCode[];
  /** The schema, with its name, of the fields that an error has here beyond its code and message. */
  errorFields?: Partial<Record<ErrorCode, t.JsonSchema>>;
  /** Shape of its errors, if it differs from that of all others. */
  errorShape?: ErrorShape;
  /** The change may wait for a second person: it is answered with 202 then. */
  mayWait?: true;
  /** The effect happens once for an Idempotency-Key. */
  idempotent?: true;
  /** Another operation replaces it, which the description names. */
  deprecated?: true;
  /** The gateway checks the signature of the body, or of no body, where its caller signs. */
  signed?: true;
}

/** The status of an answer when all went well. */
export function statusOf({ answer, status }: Pick<Operation, 'answer' | 'status'>): number {
  return answer === t.noContent ? 204 : (status ?? 200);
}
