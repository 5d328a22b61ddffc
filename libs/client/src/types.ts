import type { ROUTES } from './generated/resources';
import type { components, operations } from './generated/schema';

/** An operation of the API document. */
export type OperationId = keyof typeof ROUTES;

/** A named schema of the API document, such as `Transaction`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } }
  ? Json
  : undefined;
type ResponsesOf<Operation> = Operation extends { responses: infer Responses } ? Responses : never;
type Successful = 200 | 201 | 202 | 204;

/** The answer of an operation of an API document. Later versions may add fields. */
export type AnswerIn<Operation> = JsonOf<
  ResponsesOf<Operation>[Extract<keyof ResponsesOf<Operation>, Successful>]
>;

/** The JSON body that an operation of an API document takes. */
export type BodyIn<Operation> = Operation extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/** The query parameters that an operation of an API document takes; undefined is left out. */
export type QueryIn<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? { [Name in keyof Query]: Query[Name] | undefined }
  : never;

/** An item of the pages of a list of an API document. */
export type ItemIn<Operation, Items extends string> =
  AnswerIn<Operation> extends Record<Items, Array<infer Item>> ? Item : never;

/** The answer of an operation. Later versions may add fields. */
export type AnswerOf<Operation extends OperationId> = AnswerIn<operations[Operation]>;

/** The JSON body that an operation takes. */
export type BodyOf<Operation extends OperationId> = BodyIn<operations[Operation]>;

/** The query parameters that an operation takes. */
export type QueryOf<Operation extends OperationId> = QueryIn<operations[Operation]>;

/** An item of the pages of a list. */
export type ItemOf<Operation extends OperationId, Items extends string> = ItemIn<
  operations[Operation],
  Items
>;

/** Of the three forms of an error on the wire, the code; VALIDATION_FAILED has none there. */
type CodeIn<Json> = Json extends { errorCode: infer Code }
  ? Code
  : Json extends { code: infer Code }
    ? Code
    : Json extends { statusCode: 400 }
      ? 'VALIDATION_FAILED'
      : never;

/** The error codes that an operation may answer. */
export type ErrorCodeOf<Operation extends OperationId> = CodeIn<
  JsonOf<
    ResponsesOf<operations[Operation]>[Exclude<
      keyof ResponsesOf<operations[Operation]>,
      Successful
    >]
  >
>;

/** Every error code of the API. */
export type ErrorCode = { [Operation in OperationId]: ErrorCodeOf<Operation> }[OperationId];

type EventOperations = {
  [Name in keyof operations as Name extends `on-${infer Type}` ? Type : never]: operations[Name];
};
type EventBody<Operation> = Operation extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/** The events of the API. Others may follow, so a `switch` on `type` needs a `default`. */
export type FiadoEvent = {
  [Type in keyof EventOperations]: EventBody<EventOperations[Type]>;
}[keyof EventOperations];
