import type { Request } from 'express';
import type { Caller } from '@fiado/contracts/caller';
import type { ErrorCode } from '@fiado/contracts/errors';
import { requireId } from '@fiado/contracts/new-id';
import type { DtoClass } from '../openapi/operation';
import { type NoteIgnored, validInstance } from '../validation';
import { callerOf } from './caller';
import type { IgnoredFields } from './ignored-fields';
import { checkPlainJson } from './plain-json';

/** Names of the parameters of a path: 'depositId' of '/v1/admin/deposits/:depositId/assign'. */
export type ParamOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/**
 * The parts of a request that an endpoint reads. The body and the query are validated on first
 * access.
 */
export interface EndpointRequest<Body, Query, Param extends string, Code extends ErrorCode> {
  readonly caller: Caller;
  /** @throws ValidationError with one text for each problem */
  readonly body: Body;
  /** @throws ValidationError with one text for each problem */
  readonly query: Query;
  /** The parsed body, unchecked. */
  readonly json: unknown;
  /** The parameters of the query, unchecked. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** For an endpoint that reads `json` by itself: takes the fields that it ignores. */
  readonly noteIgnored: NoteIgnored;
  /** An id of the path, in lower case. @throws AppError with that code for one of the wrong form */
  id: (name: Param, notFound: Code) => string;
  /** A text of the path. */
  text: (name: Param) => string;
}

/**
 * For an endpoint that takes no query.
 * @throws ValidationError with one text for each parameter, unless the endpoint ignores them
 */
export function refuseUnknownQuery(
  req: Request,
  { ignoresUnknown }: { ignoresUnknown?: true | undefined },
  ignored: IgnoredFields,
): void {
  validInstance(NoQuery, { ...req.query }, ignoresUnknown === true ? ignored.note : 'refuse');
}

class NoQuery {}

/** The classes that check a request. */
interface Checks<Body, Query> {
  body?: (new () => Body) | DtoClass[];
  bodyOptional?: true;
  ignoresUnknown?: true;
  query?: new () => Query;
}

/** The same, read from an Express request. */
export function requestOf<Body extends object, Query extends object>(
  req: Request,
  { body: Body, bodyOptional, ignoresUnknown, query: Query }: Checks<Body, Query>,
  { note: noteIgnored }: IgnoredFields,
): EndpointRequest<Body, Query, string, ErrorCode> {
  let body: Body | undefined;
  let query: Query | undefined;
  const unknownFields = ignoresUnknown === true ? noteIgnored : 'refuse';
  return {
    get body() {
      if (Body === undefined || Array.isArray(Body))
        throw new Error('The endpoint has no body class');
      const json: unknown = bodyOptional === true ? (req.body ?? {}) : req.body;
      return (body ??= validInstance(Body, json, unknownFields));
    },
    get query() {
      if (Query === undefined) throw new Error('The endpoint has no query class');
      if (query !== undefined) return query;
      const read = validInstance(Query, { ...req.query }, unknownFields);
      // A body is checked when it is parsed. A query can hold NUL too, which Postgres refuses.
      checkPlainJson(read);
      return (query = read);
    },
    get caller() {
      return callerOf(req);
    },
    json: req.body,
    parameters: req.query,
    noteIgnored,
    id: (name, notFound) => idParam(req, name, notFound),
    text: (name) => textParam(req, name),
  };
}

/**
 * An id of the path, in lower case: from now on it is the parameter. A malformed id answers the same
 * 404 as an unknown one.
 */
export function idParam(req: Request, name: string, notFound: ErrorCode): string {
  return (req.params[name] = requireId(textParam(req, name), notFound));
}

/**
 * The path of a request as most clients write it: with its parameters as they were read, and no
 * slash at its end.
 * @param pattern of its route, such as `/v1/transaction/:transactionId`
 */
export function canonicalPath(req: Request, pattern: string): string {
  return pattern.replaceAll(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(textParam(req, name)),
  );
}

/** A text of the path, such as a wholesaler's own id; Postgres knows no text with NUL. */
export function textParam(req: Request, name: string): string {
  const value = req.params[name];
  if (typeof value !== 'string') throw new Error(`The route has no parameter ${name}`);
  return value.replaceAll('\0', '\u{FFFD}');
}

/** The value of a cookie; undefined when it is absent, repeated or not of that form. */
export function cookieOf(req: Request, name: string, form: RegExp): string | undefined {
  const values = (req.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    // Express writes the slashes of a path as %2F.
    .map((pair) => pair.slice(name.length + 1).replaceAll('%2F', '/'));
  const [value = ''] = values;
  return values.length === 1 && form.test(value) ? value : undefined;
}
