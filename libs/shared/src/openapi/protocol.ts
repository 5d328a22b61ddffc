/** What every call has in common, for the reader of the document. */
export const API_DESCRIPTION = `Fiado lets a wholesaler sell on credit to corner stores: it onboards
the store, holds its credit line, takes orders that the store confirms with a code by SMS, books the
debt on delivery, and accepts deposits from payment providers.

**Authentication.** Send a key in the header \`Authorization: <key>\`, \`Bearer <key>\` or
\`ApiKey <key>\`. Keys begin with \`fiado_live_\`, in a sandbox with \`fiado_test_\`. \`POST /auth/token\`
exchanges a key for an access token of an hour, which is sent in the same header. Objects of another
wholesaler are answered as if they did not exist.

**Errors.** \`{errorCode, errorMessage}\`. A body or query that fails validation is
\`{statusCode: 400, message: [...], error: "Bad Request"}\` with one text for each problem.
\`resendAccountCode\` answers its own errors as \`{code, message}\`. A request that is not valid HTTP is
answered with 400 \`MALFORMED_REQUEST\`, 408 \`REQUEST_TIMEOUT\` or 431 \`HEADERS_TOO_LARGE\`.

**Idempotency.** A request with an \`Idempotency-Key\` takes effect once. Its answer is stored for 24
hours and returned again, byte for byte, with \`Idempotent-Replayed: true\`.

**Bodies.** JSON in UTF-8, up to 100 kB; batches and lookups up to 2 MB, images up to 8 MB. Unknown
fields are ignored, except where \`additionalProperties\` is false. An optional field that is \`null\`
counts as absent. Amounts are MXN with at most two decimals, at most 100,000,000. Ids are UUIDs; a
malformed id is not found (404). Times are ISO 8601; a date without a time is in the time zone of Mexico
City.`;

export const securitySchemes = {
  credential: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'An API key or an access token, with the scheme Bearer or ApiKey or with none',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key or an access token with the scheme Bearer',
  },
};

export const parameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Makes the request idempotent; a unique text of the caller’s choice',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'order-4711',
  },
  'Fiado-Signature': {
    name: 'Fiado-Signature',
    in: 'header',
    required: false,
    description:
      '`t=<time>,v1=<signature>`: seconds since 1970, at most 300 off, and the HMAC-SHA256 in ' +
      'lower-case hexadecimal of `<time>.<body>` with the body as it is sent. Several `v1` may be ' +
      'given, of which one must be right. Needed where ops requires it of the payment provider.',
    schema: { type: 'string' },
    example: 't=1790955000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  },
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Identifies the request in all logs; generated if absent or malformed',
    schema: { type: 'string', pattern: String.raw`^[\w.-]{1,100}$` },
  },
};

export const headers = {
  'X-Request-Id': {
    description: 'Id of the request, for support',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: '`true` if the answer is that of an earlier request with this key',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': {
    description: 'Seconds after which the call may be repeated',
    schema: { type: 'integer' },
  },
  'WWW-Authenticate': { description: 'How to authenticate', schema: { type: 'string' } },
};
