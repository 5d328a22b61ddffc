/** What a caller and the called process agree on about a call; its endpoint is in the called process. */
export interface CallDefinition<Body extends object, Answer extends object> {
  path: `/internal/${string}` | `/v1/sign-in/${string}`;
  /** Class-validator class of the body. */
  Body: new () => Body;
  /** Never set: it carries the type of the answer to the caller and to the endpoint. */
  answer?: Answer;
}

/** Defines a POST from process to process. @param Body is checked by the endpoint */
export function defineCall<Body extends object, Answer extends object>(
  path: CallDefinition<Body, Answer>['path'],
  Body: new () => Body,
): CallDefinition<Body, Answer> {
  return { path, Body };
}
