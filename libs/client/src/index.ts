export { cents } from './cents';
export {
  FiadoConnectionError,
  FiadoError,
  FiadoTimeoutError,
  FiadoWebhookError,
  type WebhookProblem,
} from './errors';
export { Fiado } from './fiado';
export type { Pages } from './pages';
export type { Attempt, Fetch, FiadoOptions, RequestOptions } from './settings';
export type {
  AnswerOf,
  BodyOf,
  ErrorCode,
  ErrorCodeOf,
  FiadoEvent,
  OperationId,
  QueryOf,
  Schema,
} from './types';
export { unwrapWebhook, type UnwrapOptions, type WebhookHeaders } from './webhooks';
