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
      'given, of which one must be right. A request without a body, such as a GET, signs `<time>.`. ' +
      'Needed where ops requires it of the payment provider.',
    schema: { type: 'string' },
    example: 't=1790955000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  },
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Identifies the request in all logs; generated if absent or malformed',
    schema: { type: 'string', pattern: String.raw`^[\w.-]{1,100}$` },
    example: 'my-request-1',
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
  'RateLimit-Limit': {
    description:
      'Requests that this credential may send in two seconds, to one of several gateways its share',
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': {
    description: 'Requests that are left of them',
    schema: { type: 'integer' },
  },
  'RateLimit-Reset': {
    description: 'Seconds until the limit is full again',
    schema: { type: 'integer' },
  },
  'WWW-Authenticate': { description: 'How to authenticate', schema: { type: 'string' } },
};
