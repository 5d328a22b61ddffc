import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RequestHandler, Response } from 'express';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import type { CallDefinition } from '@fiado/contracts/define';
import type { ErrorCode, ErrorShape } from '@fiado/contracts/errors';
import type { ProcessName } from '@fiado/contracts/process-names';
import {
  KEY_KINDS,
  kindsWithScope,
  type Scope,
  type SCOPES_OF_KIND,
} from '@fiado/contracts/caller';
import type { Database } from '../db/database';
import type { StoreAnswer } from '../idempotency';
import type { Differing, Schema } from '../openapi/json-schema';
import { type DtoClass, type Operation, type OwnedObject, statusOf } from '../openapi/operation';
import { noteRefusedItems, type RefusedItem } from '../refusals/refusal';
import type { Sealer } from '../keys/sealing';
import { answerOnce, sendJson } from './answer-once';
import { validBody } from './body';
import type { AllowedCaller } from './caller';
import { useErrorShape } from './error-middleware';
import { IgnoredFields } from './ignored-fields';
import {
  type EndpointRequest,
  idParam,
  type ParamOf,
  refuseUnknownQuery,
  requestOf,
} from './request';

/** The path of an endpoint, and who may call it. */
export interface Route {
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  /** The callers that are allowed. */
  allow: readonly AllowedCaller[];
  /** Scope that the caller's key must have. */
  scope?: Scope | undefined;
  /** Longest body, in bytes; DEFAULT_BODY_LIMIT without it. */
  bodyLimit?: number | undefined;
  /** Most values that its body may hold; DEFAULT_MAX_VALUES without it. */
  maxValues?: number | undefined;
  /** Its operation in the OpenAPI document; internal routes have none. */
  operation?: Operation;
}

/** A route with its handler. */
export interface ServedRoute extends Route {
  handle: RequestHandler;
}

/** A route, and its handler for a context. */
export interface Endpoint<Context> extends Route {
  handler: (context: Context) => RequestHandler;
}

type FieldsOf<Shape> = Shape extends unknown ? keyof Shape : never;

type FieldOf<Shape, Name> = Shape extends unknown
  ? Name extends keyof Shape
    ? Shape[Name]
    : never
  : never;

/** The value's type, with `never` for each field that the answer's schema does not have. */
export type Exact<Value, Answer> = [FieldsOf<Answer>] extends [never]
  ? Value
  : Answer extends Buffer | Readable
    ? Value
    : Value extends ReadonlyArray<infer Item>
      ? ReadonlyArray<Exact<Item, Answer extends ReadonlyArray<infer Known> ? Known : never>>
      : Value extends object
        ? {
            [Name in keyof Value]: Name extends FieldsOf<Answer>
              ? Exact<Value[Name], FieldOf<Answer, Name>>
              : never;
          }
        : Value;

/** The fields of the items that an answer lists. */
type ItemFieldOf<Answer> = Answer extends unknown
  ? {
      [Name in keyof Answer]: Answer[Name] extends ReadonlyArray<infer Item> ? keyof Item : never;
    }[keyof Answer]
  : never;

/**
 * The scope. A scope of wholesalers also needs `names`: the kind of object that each parameter of the path names. A
 * test tries each with an object of another wholesaler.
 */
export type Scoped<KeyScope, Path extends string> = {
  scope: KeyScope;
} & (KeyScope extends WholesalerScope ? { names: Record<ParamOf<Path>, OwnedObject> } : object);

type WholesalerScope = (typeof SCOPES_OF_KIND)['wholesaler'][number];

export interface Definition<
  Context,
  Path extends string,
  Code extends ErrorCode,
  Body extends object,
  Query extends object,
  Input,
  Result,
  Answer,
  Presented extends Answer,
>
  extends Pick<Route, 'bodyLimit' | 'maxValues'>, Operation {
  /** Method and path, such as `GET /v1/admin/deposits`. */
  route: `${Uppercase<Route['method']>} ${Path}`;
  /** Scope that the key of the caller must have; it also decides which kinds of keys may call. */
  scope: Scope | 'any';
  body?: (new () => Body) | DtoClass[];
  query?: new () => Query;
  errors?: readonly Code[];
  /** Seals the stored answer of an idempotent endpoint where it holds a secret or personal data. */
  answerSealer?: (context: Context) => Sealer;
  /** Reads and checks the request, in the order of the endpoint's checks. */
  input: (request: EndpointRequest<Body, Query, ParamOf<Path>, Code>, context: Context) => Input;
  /**
   * The use case. An idempotent one stores `answerOf(result)` in the database transaction of its
   * effect.
   */
  handle: (
    context: Context,
    input: Input,
    answerOf: StoreAnswer<Result | ChangeRequested>,
  ) => Promise<Result | ChangeRequested>;
  /** Called with the error of an idempotent endpoint, unless a stored answer was replayed. */
  onError?: (error: unknown) => void;
  answer: Schema<Answer>;
  example?: Differing<NoInfer<Answer>>;
  shownOnce?: ReadonlyArray<FieldsOf<NoInfer<Answer>> & string>;
  columns?: ReadonlyArray<ItemFieldOf<NoInfer<Answer>> & string>;
  headers?: (result: Result) => Record<string, string>;
  /** The items that a request for several changes did not get. */
  refusedItems?: (result: Result) => RefusedItem[];
  present: (result: Result, context: Context) => Presented & Exact<Presented, Answer>;
}

/**
 * An endpoint of the API: its route, its OpenAPI operation, and its handler.
 * A presenter that forgets a field of the answer's schema, or adds one, does not compile.
 */
export function endpoint<
  Context,
  const KeyScope extends Scope | 'any',
  const Path extends string,
  Input,
  Result,
  Answer,
  const Presented extends Answer,
  Code extends ErrorCode = never,
  Body extends object = never,
  Query extends object = never,
>(
  definition: Definition<Context, Path, Code, Body, Query, Input, Result, Answer, Presented> &
    Scoped<KeyScope, Path>,
): Endpoint<Context & { db: Database }> {
  const { scope, bodyLimit, maxValues, idempotent, answerSealer, errorShape, onError } = definition;
  const [method = '', path = ''] = definition.route.split(' ');
  return {
    method: method.toLowerCase() as Route['method'],
    path,
    allow: scope === 'any' ? KEY_KINDS : kindsWithScope(scope),
    scope: scope === 'any' ? undefined : scope,
    bodyLimit,
    maxValues,
    operation: definition,
    handler: (context) => {
      const answer = answerOfResult(statusOf(definition), (result: Result) =>
        definition.present(result, context),
      );
      const headersOf = unlessWaiting(definition.headers, {});
      const refusedOf = unlessWaiting(definition.refusedItems, []);
      return async (req, res) => {
        if (errorShape !== undefined) useErrorShape(res, errorShape);
        const ignored = new IgnoredFields();
        const input = definition.input(requestOf(req, definition, ignored), context);
        if (definition.query === undefined) refuseUnknownQuery(req, definition, ignored);
        ignored.setHeader(res);
        if (idempotent !== true) {
          const result = await definition.handle(context, input, () => undefined);
          const made = answer(result);
          res.set(headersOf(result)).status(made.status);
          await send(res, made.body, definition.mediaType);
          return;
        }
        await answerOnce(context.db, req, res, {
          path,
          answer,
          headers: headersOf,
          sealer: answerSealer?.(context),
          work: (answerOf) =>
            noteRefusedItems(res, definition.handle(context, input, answerOf), refusedOf),
        }).catch((error: unknown) => {
          onError?.(error);
          throw error;
        });
      };
    },
  };
}

/**
 * Skips `read` for a change that waits for a second person.
 * @returns what `read` returns, or `none`
 */
function unlessWaiting<Result, Part>(
  read: ((result: Result) => Part) | undefined,
  none: Part,
): (result: Result | ChangeRequested) => Part {
  return (result) =>
    read === undefined || result instanceof ChangeRequested ? none : read(result);
}

/**
 * The status and the body of a result. A change that waits for a second person is a 202 with the id of its request.
 */
function answerOfResult<Result>(
  status: number,
  present: (result: Result) => unknown,
): (result: Result | ChangeRequested) => { status: number; body: object } {
  return (result) =>
    result instanceof ChangeRequested
      ? { status: 202, body: { changeRequestId: result.changeRequestId, status: 'pending' } }
      : { status, body: present(result) as object };
}

/**
 * Sends an answer. A stream that fails ends the connection, so that the caller notices that the answer is incomplete.
 */
async function send(
  res: Response,
  answer: object | undefined,
  mediaType: string | undefined,
): Promise<void> {
  if (answer === undefined) res.end();
  else if (answer instanceof Readable) {
    await pipeline(answer, res.type(mediaType ?? 'application/octet-stream'));
  } else if (mediaType !== undefined) res.type(mediaType).send(answer);
  else sendJson(res, answer);
}

/**
 * An endpoint that only services call, or the console for a person who signs in. `call` defines it for both ends. It
 * is not in the API document.
 */
export function internalEndpoint<Context, Body extends object, Answer extends object>({
  call: { path, Body },
  errorShape,
  handle,
  ...route
}: {
  call: CallDefinition<Body, Answer>;
  allow: Array<`service:${ProcessName}` | 'anonymous'>;
  bodyLimit?: number;
  maxValues?: number;
  errorShape?: ErrorShape;
  handle: (context: Context, body: Body) => Promise<NoInfer<Answer>>;
}): Endpoint<Context> {
  return {
    ...route,
    path,
    method: 'post',
    handler: (context) => async (req, res) => {
      if (errorShape !== undefined) useErrorShape(res, errorShape);
      res.json(await handle(context, validBody(Body, req)));
    },
  };
}

/** Endpoints as a service with this context serves them. */
export function routesOf<Context>(
  endpoints: Array<Endpoint<Context>>,
  context: Context,
): ServedRoute[] {
  return endpoints.map(({ handler, ...route }) => ({ ...route, handle: handler(context) }));
}

/** A form that a third party posts to us, through the gateway, or JSON whose bytes it signs. */
export interface Callback {
  path: string;
  /** It is JSON, of at most so many bytes. */
  signedJson?: { limit: number };
  handle: RequestHandler;
}

interface PostedForm {
  form: Record<string, unknown>;
  /** Path and query as they were sent. */
  url: string;
  header: (name: string) => string | undefined;
  /** An id of the path, in lower case. @throws AppError with that code for one of the wrong form */
  id: (name: string, notFound: ErrorCode) => string;
}

/**
 * The token of such a request states nothing about its sender, so the handler must first check the
 * sender's signature.
 */
export function callback(path: string, handle: (request: PostedForm) => Promise<void>): Callback {
  return {
    path,
    handle: async (req, res) => {
      await handle({
        form: { ...(req.body as Record<string, unknown> | undefined) },
        url: req.originalUrl,
        header: (name) => req.get(name),
        id: (name, notFound) => idParam(req, name, notFound),
      });
      res.status(204).end();
    },
  };
}

interface PostedJson extends Pick<PostedForm, 'header' | 'id'> {
  /** As it was sent. */
  bytes: Buffer;
}

/** As `callback`, of JSON. @param limit the longest body, in bytes */
export function jsonCallback(
  path: string,
  limit: number,
  handle: (request: PostedJson) => Promise<void>,
): Callback {
  return {
    path,
    signedJson: { limit },
    handle: async (req, res) => {
      await handle({
        bytes: Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0),
        header: (name) => req.get(name),
        id: (name, notFound) => idParam(req, name, notFound),
      });
      res.status(204).end();
    },
  };
}
