import { Readable } from 'node:stream';
import { requestOf, resourcesOf, type Route } from '@fiado/client/resources';
import type { CallDefinition } from '@fiado/contracts/define';
import { STATEMENTS_TIMEOUT_MS } from '@fiado/contracts/deadlines';
import { isErrorCode, type ErrorCode } from '@fiado/contracts/errors';
import { ROUTES, type Resources } from '@fiado/ops-client/generated/resources';
import type { Schema } from '@fiado/ops-client/operations';

/** Longer than the gateway's deadline of most calls, 10 s, so that its answer comes first. */
const TIMEOUT_MS = 15_000;
/** A file of hundreds of thousands of lines is read while it is made. */
const FILE_TIMEOUT_MS = 300_000;
/** The API's status of a change that needs a second person. */
const WAITS = 202;

/** The API refused a call, or could not be reached (503). */
export class ApiRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: ErrorCode | 'BAD_REQUEST',
    message: string,
    /** Other fields of the answer, such as old and new values. */
    readonly fields: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'ApiRefusal';
  }
}

/** The change waits for the decision of a second person: nothing has changed yet. */
export class WaitsForApproval extends Error {
  constructor(readonly changeRequestId: string) {
    super('the change waits for a second person');
    this.name = 'WaitsForApproval';
  }
}

/** An answer of the API, without the one that becomes WaitsForApproval. */
type Made<Answer> =
  Answer extends Schema<'ChangeRequested'>
    ? Schema<'ChangeRequested'> extends Answer
      ? never
      : Answer
    : Answer;

type MadeBy<Method> = Method extends (...args: infer Args) => Promise<infer Answer>
  ? (...args: Args) => Promise<Made<Answer>>
  : Method;

/** The operations for ops, each one request. @throws ApiRefusal, WaitsForApproval */
export type Ops = {
  [Resource in keyof Resources]: {
    [Name in keyof Resources[Resource]]: MadeBy<Resources[Resource][Name]>;
  };
};

/** The lender's part of the API, in the name of one person. */
export interface AdminApi {
  ops: Ops;
  /** A file or an image, with the Content-Disposition that names it: the client has none. @throws ApiRefusal */
  file(path: string): Promise<{ disposition: string; bytes: Readable }>;
}

type Method = (...args: unknown[]) => unknown;

/** The method of an operation whose name is known at run time only. */
export function methodOf(ops: Ops, id: keyof typeof ROUTES): Method {
  const { resource, name = id }: Route = ROUTES[id];
  const methods = ops as unknown as Record<string, Record<string, Method>>;
  const method = methods[resource]?.[name];
  if (method === undefined) throw new Error(`The client has no method for ${id}`);
  return method;
}

/** A body with values as a browser sent them: the endpoint checks them. */
type Unchecked<Body extends object> = { [Field in keyof Body]: unknown };

/** What the console asks of the gateway. */
export interface Api {
  /** One step of a sign-in, which needs no credential. @throws ApiRefusal */
  signIn<Body extends object, Answer extends object>(
    call: CallDefinition<Body, Answer>,
    body: Unchecked<NoInfer<Body>>,
  ): Promise<Answer>;
  as(accessToken: string): AdminApi;
}

/** What a call carries beside its path. */
interface Sent {
  body?: object | undefined;
  token?: string;
  idempotencyKey?: string | undefined;
}

/** How long the answer to a call is awaited, in milliseconds. */
export function timeoutOf(path: string): number {
  if (path.includes('.csv?')) return FILE_TIMEOUT_MS;
  return path === '/v1/admin/statements/close' ? STATEMENTS_TIMEOUT_MS : TIMEOUT_MS;
}

export function createApi(gatewayUrl: string): Api {
  const base = gatewayUrl.replace(/\/+$/, '');
  const send = (
    method: string,
    path: string,
    { body, token, idempotencyKey }: Sent = {},
  ): Promise<Response> =>
    fetch(`${base}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: token }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutOf(path)),
    }).catch((error: unknown) => {
      throw new ApiRefusal(503, 'SERVICE_UNAVAILABLE', String(error));
    });

  return {
    async signIn<Body extends object, Answer extends object>(
      { path }: CallDefinition<Body, Answer>,
      body: Unchecked<Body>,
    ) {
      return answerOf<Answer>(await send('POST', path, { body }));
    },
    as: (accessToken) => ({
      ops: resourcesOf(ROUTES, async (operation, ...asked) => {
        const { path, body, options } = requestOf(operation, ...asked);
        const { idempotencyKey } = options;
        const sent = { body, token: accessToken, idempotencyKey };
        return answerOf(await send(operation.method, `/v1${path}`, sent));
      }) as unknown as Ops,
      async file(path) {
        const response = await send('GET', path, { token: accessToken });
        if (!response.ok) await refuse(response);
        const bytes = Readable.fromWeb(response.body ?? new Blob([]).stream());
        return { disposition: response.headers.get('content-disposition') ?? 'attachment', bytes };
      },
    }),
  };
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  if (!response.ok) await refuse(response);
  const text = await response.text();
  const answer = (text === '' ? undefined : JSON.parse(text)) as Answer;
  const { changeRequestId } = Object(answer) as { changeRequestId?: string };
  // An export that was started is a 202 too.
  if (response.status === WAITS && changeRequestId !== undefined) {
    throw new WaitsForApproval(changeRequestId);
  }
  return answer;
}

async function refuse(response: Response): Promise<never> {
  const body: unknown = await response.json().catch(() => ({}));
  const fields = Object(body) as Record<string, unknown>;
  const { errorCode, errorMessage, message } = fields;
  const text = Array.isArray(message)
    ? message.join('; ')
    : typeof errorMessage === 'string'
      ? errorMessage
      : '';
  const code = isErrorCode(errorCode) ? errorCode : 'BAD_REQUEST';
  throw new ApiRefusal(response.status, code, text, fields);
}
