/** What every call has in common, for the reader of the document. */
export const API_DESCRIPTION = `Fiado lets a wholesaler sell on credit to corner stores: it onboards
the store, holds a credit line, takes orders that the store confirms with a code by SMS, books the
debt on delivery, and takes deposits from payment providers.

**Credential.** \`Authorization: <key>\`, \`Bearer <key>\` or \`ApiKey <key>\`. A key is
\`fiado_live_…\` or, in the sandbox, \`fiado_test_…\`; \`POST /auth/token\` turns one into an access
token of an hour that is taken in the same header. What belongs to another wholesaler is answered as
if it did not exist.

**Errors.** \`{errorCode, errorMessage}\`; a body or query that fails its checks is
\`{statusCode: 400, message: [...], error: "Bad Request"}\` with one text for each problem. Resending
the code of an account answers its own errors as \`{code, message}\`. A request that is no valid HTTP
is answered 400 \`MALFORMED_REQUEST\`, 408 \`REQUEST_TIMEOUT\` or 431 \`HEADERS_TOO_LARGE\`.

**Once.** With an \`Idempotency-Key\` a request takes effect once: its answer is kept for 24 hours and
given again, byte for byte, with \`Idempotent-Replayed: true\`.

**Bodies.** JSON in UTF-8, up to 100 kB; a batch or a lookup of many up to 2 MB, an image up to 8 MB.
Fields that an endpoint does not know are ignored, except where \`additionalProperties\` is false. An
optional field that is \`null\` counts as absent. Amounts are MXN with at most two decimals, at
most 100,000,000; ids are
UUIDs, and an id of another form names nothing (404). Times are ISO 8601; a date alone means
Mexico City.`;

export const securitySchemes = {
  credential: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'An API key or an access token, with the scheme Bearer or ApiKey or with none',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same with the scheme Bearer' },
};

export const parameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Makes the request take effect once; any text of the caller’s own',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'order-4711',
  },
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Follows the request through all logs; made up when absent or of another form',
    schema: { type: 'string', pattern: String.raw`^[\w.-]{1,100}$` },
  },
};

export const headers = {
  'X-Request-Id': {
    description: 'Id of the request, for questions about it',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: '`true` when the answer is the one of an earlier request with this key',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': {
    description: 'Seconds after which the same call may do better',
    schema: { type: 'integer' },
  },
  'WWW-Authenticate': { description: 'How to authenticate', schema: { type: 'string' } },
};
