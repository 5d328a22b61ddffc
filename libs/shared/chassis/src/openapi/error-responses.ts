import { isDeepStrictEqual } from 'node:util';
import type { Route } from '../http/endpoint';
import { AppError, type ErrorCode } from '@fiado/contracts/errors';
import { openChange } from '../four-eyes';
import * as t from './json-schema';
import type { JsonSchema } from './json-schema';
import type { AnswerForm } from './open-answers';
import type { Operation } from './operation';

/** Errors of any request. */
const ANY: ErrorCode[] = [
  'UNAUTHORIZED',
  // Also for routes that allow every kind of caller: a provider may call from a wrong address.
  'FORBIDDEN',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];
/** Errors of a request with a body, also where the operation takes none: a body is always read. */
const WITH_BODY: ErrorCode[] = ['INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
const WITH_IDEMPOTENCY_KEY: ErrorCode[] = ['IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_KEY_REUSED'];
/** Fields that an error has at every endpoint, beyond its code and message. */
const FIELDS: Operation['errorFields'] = {
  CHANGE_ALREADY_REQUESTED: openChange,
  MINIMAL_TRANSACTION_REQUIRED: t.object('MinimalTransactionRequired', {
    minimumAmount: t.field(t.pesos, 'Smallest amount that is accepted', 100),
  }),
  CREDIT_LIMIT_EXCEEDED: t.object(
    'CreditLimitExceeded',
    { maximumAmount: t.field(t.pesos, 'Largest amount that is accepted now', 480.5) },
    ['maximumAmount'],
  ),
  TRANSACTION_AMOUNT_NOT_ALLOWED: atMost('TransactionAmountNotAllowed'),
  CREDIT_NOTE_AMOUNT_NOT_ALLOWED: atMost('CreditNoteAmountNotAllowed'),
  INVOICE_AMOUNT_NOT_ALLOWED: atMost('InvoiceAmountNotAllowed'),
};

function atMost(title: string): JsonSchema {
  return t.object(title, {
    maximumAmount: t.field(t.pesos, 'Largest amount that is accepted now', 480.5),
  });
}

/** These are answered before the handler gets the request: always in the common shape. */
const BEFORE_THE_HANDLER = new Set<ErrorCode>([
  'UNAUTHORIZED',
  'FORBIDDEN',
  'RATE_LIMIT_EXCEEDED',
  'ROUTE_NOT_FOUND',
  ...WITH_BODY,
]);
/** These may come from before the handler and from the handler. */
const FROM_BOTH = new Set<ErrorCode>(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);

/**
 * How a body or query that fails its checks is answered (the specification shows it for
 * changePhoneNumber).
 */
export const validationErrorSchema: JsonSchema = {
  title: 'ValidationError',
  type: 'object',
  properties: {
    statusCode: t.field({ type: 'integer', const: 400 }, 'HTTP status', 400),
    message: {
      about: ['What is wrong with the request'],
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'One text for each problem, with the path of its field',
    },
    error: t.field(t.constant('Bad Request'), 'Name of the HTTP status'),
  },
  required: ['statusCode', 'message', 'error'],
  additionalProperties: false,
};

export const VALIDATION_EXAMPLE = 'VALIDATION';
const CODE_AND_MESSAGE_SUFFIX = '_E2';

const COMMON_KEYS: [code: string, message: string] = ['errorCode', 'errorMessage'];

/** Every error code that a route may answer. */
export function errorCodesOf(route: Route, operation: Operation): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...(operation.errors ?? []),
      ...ANY,
      ...(route.path.includes(':') ? (['ROUTE_NOT_FOUND'] as const) : []),
      ...(readsBody(route) ? WITH_BODY : []),
      ...(operation.idempotent === true ? WITH_IDEMPOTENCY_KEY : []),
    ]),
  ];
}

/** The error answers of a route, by status. */
export function errorResponses(
  route: Route,
  operation: Operation,
  form: AnswerForm,
): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(route, operation)) {
    const { status } = new AppError(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  // Every route has a 400: a path or a query may not be UTF-8.
  if (!byStatus.has(400)) byStatus.set(400, []);

  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, codes]) => [
        String(status),
        errorResponse(status, codes, operation, { form, checked: status === 400 }),
      ]),
  );
}

/** An error response of a route. A response that many routes share stands once, in the components. */
function errorResponse(
  status: number,
  codes: ErrorCode[],
  operation: Operation,
  { form, checked }: { form: AnswerForm; checked: boolean },
): object {
  const errorFields = { ...FIELDS, ...operation.errorFields };
  const isCommon = operation.errorShape === undefined && codes.every((code) => !errorFields[code]);
  const name = isCommon ? sharedName(codes, checked) : undefined;
  if (name !== undefined) return { $ref: `#/components/responses/${name}` };
  return describeErrors(status, codes, { ...operation, errorFields }, { form, checked });
}

const BAD_REQUEST = 'BAD_REQUEST';

function sharedName([first, ...others]: ErrorCode[], checked: boolean): string | undefined {
  if (others.length > 0) return undefined;
  if (!checked) return first;
  return first === 'INVALID_JSON' ? BAD_REQUEST : undefined;
}

/** An answer of the components, by the name that a route refers to it with. */
export function sharedResponse(name: string, form: AnswerForm): object {
  if (name === BAD_REQUEST) {
    return describeErrors(400, ['INVALID_JSON'], {}, { form, checked: true });
  }
  const code = name as ErrorCode;
  return describeErrors(new AppError(code).status, [code], {}, { form, checked: false });
}

function describeErrors(
  status: number,
  codes: ErrorCode[],
  { errorShape, errorFields = {} }: Pick<Operation, 'errorShape' | 'errorFields'>,
  { form, checked }: { form: AnswerForm; checked: boolean },
): object {
  const common =
    errorShape === undefined
      ? codes
      : codes.filter((code) => BEFORE_THE_HANDLER.has(code) || FROM_BOTH.has(code));
  const ofHandler =
    errorShape === undefined ? [] : codes.filter((code) => !BEFORE_THE_HANDLER.has(code));
  const plain = common.filter((code) => errorFields[code] === undefined);
  const withFields = common.filter((code) => errorFields[code] !== undefined);
  const isOpen = form === 'open';
  const schemas = [
    ...(checked ? [validationErrorSchema] : []),
    ...(isOpen && common.length > 0 ? [{ $ref: '#/components/schemas/Error' }] : []),
    ...(isOpen && ofHandler.length > 0 ? [CODE_AND_MESSAGE] : []),
    ...(isOpen ? [] : closedErrors({ plain, withFields, ofHandler }, errorFields)),
  ];
  const examples = [
    ...(checked ? [VALIDATION_EXAMPLE] : []),
    ...common,
    ...ofHandler.map((code) => code + CODE_AND_MESSAGE_SUFFIX),
  ];
  return {
    description: [...(checked ? ['The request fails validation'] : []), ...codes].join(', '),
    headers: responseHeaders(status, codes),
    content: {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
        examples: Object.fromEntries(
          examples.map((name) => [name, exampleWithFields(name, errorFields[name as ErrorCode])]),
        ),
      },
    },
  };
}

/** An error with the codes, and the fields of each, that an operation may answer. */
function closedErrors(
  { plain, withFields, ofHandler }: Record<'plain' | 'withFields' | 'ofHandler', ErrorCode[]>,
  errorFields: NonNullable<Operation['errorFields']>,
): JsonSchema[] {
  return [
    ...(plain.length === 0
      ? []
      : [errorSchema(plain, COMMON_KEYS, 'The transaction does not exist')]),
    ...withFields.map((code) => schemaWithFields(code, errorFields[code])),
    ...(ofHandler.length === 0 ? [] : [errorSchema(ofHandler, ['code', 'message'])]),
  ];
}

function messageField(example?: string): JsonSchema {
  return t.field(t.text, 'Explains the error to a person; may change', example);
}

/** The errors of `resendAccountCode` (the specification); open. */
const CODE_AND_MESSAGE: JsonSchema = {
  title: 'CodeAndMessage',
  type: 'object',
  properties: {
    code: t.field(t.text, 'Code of the error; stable', 'VERIFICATION_NOT_FOUND'),
    message: messageField(new AppError('VERIFICATION_NOT_FOUND').message),
  },
  required: ['code', 'message'],
};

/**
 * The error of all operations but for both exceptions of the specification, open: with the fields of
 * each code that has some, which others lack. A field that two codes have with different words has the words of both.
 * @param known the codes of the document
 * @throws Error when two codes have otherwise different fields of one name
 */
export function errorComponent(
  operations: Iterable<Operation>,
  known: readonly ErrorCode[],
): JsonSchema {
  const codes = new Map<string, ErrorCode[]>();
  const properties: Record<string, JsonSchema> = {};
  for (const { errors = [], errorFields } of operations) {
    for (const code of errors) {
      const fields = { ...FIELDS, ...errorFields }[code]?.properties ?? {};
      for (const [name, schema] of Object.entries(fields)) {
        properties[name] = withWordsOf(schema, properties[name] ?? schema, name);
        codes.set(name, [...new Set([...(codes.get(name) ?? []), code])]);
      }
    }
  }
  const own = Object.entries(properties).map(([name, schema]) => {
    const [what = '', example] = schema.about ?? [];
    const of =
      codes
        .get(name)
        ?.toSorted()
        .map((code) => `\`${code}\``) ?? [];
    return [name, t.field(schema, `${what}. Of ${of.join(', ')}`, example)];
  });
  return {
    type: 'object',
    properties: {
      errorCode: t.field(
        { ...t.text, 'x-known-values': [...new Set(known)].toSorted() },
        'Code of the error; stable. Each operation lists its own; more may follow',
        'TRANSACTION_NOT_FOUND',
      ),
      errorMessage: messageField(new AppError('TRANSACTION_NOT_FOUND').message),
      ...(Object.fromEntries(own) as Record<string, JsonSchema>),
    },
    required: COMMON_KEYS,
  };
}

/** @throws Error when they differ in more than their words */
function withWordsOf(schema: JsonSchema, known: JsonSchema, name: string): JsonSchema {
  if (isDeepStrictEqual(schema, known)) return known;
  if (schema.enum === undefined || known.enum === undefined) {
    throw new Error(`Errors have two different fields ${name}`);
  }
  if (schema.enum.every((word) => known.enum?.includes(word))) return known;
  const about = [known, schema].map((one) => one.about?.[0]).join('. ');
  return { ...known, enum: [...new Set([...known.enum, ...schema.enum])], about: [about] };
}

/**
 * @param keys of the code and of the message: some handlers answer with `code` and `message`
 * @param example of the message
 */
function errorSchema(
  codes: ErrorCode[],
  keys: [code: string, message: string],
  example?: string,
): JsonSchema {
  const [codeKey, messageKey] = keys;
  return {
    type: 'object',
    properties: {
      [codeKey]: t.field(t.oneOf(codes), 'Code of the error; stable'),
      [messageKey]: messageField(example),
    },
    required: keys,
    additionalProperties: false,
  };
}

function schemaWithFields(code: ErrorCode, fields: JsonSchema = {}): JsonSchema {
  const { message } = new AppError(code);
  const { properties, required = [], ...schema } = errorSchema([code], COMMON_KEYS, message);
  return {
    ...schema,
    ...fields,
    properties: { ...properties, ...fields.properties },
    required: [...required, ...(fields.required ?? [])],
  };
}

function exampleWithFields(name: string, fields?: JsonSchema): object {
  if (fields === undefined) return { $ref: `#/components/examples/${name}` };
  const { code, message } = new AppError(name as ErrorCode);
  const values = Object.entries(fields.properties ?? {}).map(([field, schema]) => [
    field,
    schema.enum?.[0] ?? schema.about?.[1],
  ]);
  return {
    summary: message,
    value: { errorCode: code, errorMessage: message, ...Object.fromEntries(values) },
  };
}

/** Of each answer once the credential is known; of a 500 or 503 only at times. */
export const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

function responseHeaders(status: number, codes: ErrorCode[]): object {
  const isOfUnknown = status === 401 && !codes.includes('SIGNATURE_NOT_VALID');
  return headerReferences([
    'X-Request-Id',
    ...(isOfUnknown ? [] : RATE_LIMIT_HEADERS),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ]);
}

export function headerReferences(names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function readsBody({ method }: Route): boolean {
  return method === 'post' || method === 'put';
}

/** An example of each error that is referred to, by its name. */
export function errorExample(name: string): object {
  if (name === VALIDATION_EXAMPLE) {
    const message = ['phoneNumber must be a valid phone number'];
    return {
      summary: 'The request fails validation',
      value: { statusCode: 400, message, error: 'Bad Request' },
    };
  }
  const isCodeAndMessage = name.endsWith(CODE_AND_MESSAGE_SUFFIX);
  const { code, message } = new AppError(
    (isCodeAndMessage ? name.slice(0, -CODE_AND_MESSAGE_SUFFIX.length) : name) as ErrorCode,
  );
  return {
    summary: message,
    value: isCodeAndMessage ? { code, message } : { errorCode: code, errorMessage: message },
  };
}
