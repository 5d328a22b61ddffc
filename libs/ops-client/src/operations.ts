import type { AnswerIn, BodyIn, ItemIn, QueryIn } from '@fiado/client/resources';
import type { components, operations } from './generated/schema';

/** The name of an operation for ops. */
export type OperationId = keyof operations;

/** A named schema of the document for ops, such as `Deposit`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The answer of an operation for ops. */
export type AnswerOf<Operation extends OperationId> = AnswerIn<operations[Operation]>;

/** The body that an operation for ops takes. */
export type BodyOf<Operation extends OperationId> = BodyIn<operations[Operation]>;

/** The query parameters that an operation for ops takes. */
export type QueryOf<Operation extends OperationId> = QueryIn<operations[Operation]>;

/** An item of the pages of a list for ops. */
export type ItemOf<Operation extends OperationId, Items extends string> = ItemIn<
  operations[Operation],
  Items
>;
