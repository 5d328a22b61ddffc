import { AppError, type ErrorCode } from '@fiado/contracts/errors';

/** What a caller does about an error, by its code. Codes that only Fiado's operator sees are absent. */
const ERROR_ADVICE: Partial<Record<ErrorCode, string>> = {
  USER_NOT_FOUND: 'Check the id; it must be of a customer of yours',
  USER_IS_VERIFIED: 'Nothing to do: the user can order',
  USER_IN_MANUAL_VALIDATION: 'Wait until the lender has decided',
  VERIFICATION_NOT_FOUND: 'Use the `verificationId` of the newest answer',
  VERIFICATION_NOT_VALID:
    'Ask for the code again if `reason` is `wrong`; send a new one if it is `expired` or `checks-used-up`; ' +
    'with `store-not-eligible` or `phone-held` wait until the corner store may order again, and repeat the code',
  PHONE_NUMBER_ALREADY_EXISTS: 'Ask the user for another number, or use that user',
  TRANSACTION_NOT_FOUND: 'Check the id',
  TRANSACTION_IS_VERIFIED: 'Nothing to do: the order is confirmed',
  TRANSACTION_IS_NOT_IN_HOLD: 'Read the order: it is not confirmed, or already delivered or ended',
  TRANSACTION_AMOUNT_NOT_FOUND: 'Send `transactionAmount`',
  DELIVERY_WORD_NOT_FOUND: 'Deliver without a word',
  TOO_MANY_ATTEMPTS: 'Wait for the time in `Retry-After`, or ask the lender',
  CORNER_STORE_NOT_FOUND: 'Check the id; it must be of a customer of yours',
  USER_IS_IN_INTERNAL_VALIDATION: 'Wait until the lender has decided; sell for cash meanwhile',
  CREDIT_LIMIT_EXCEEDED: 'Reduce the order to `maximumAmount` of `checkTransaction`',
  USER_IS_IN_DEFAULT: 'Ask the corner store to pay its overdue debt',
  MINIMAL_TRANSACTION_REQUIRED: 'Raise the order to the minimum',
  USER_NOT_VERIFIED: 'Finish the onboarding first',
  INVALID_DELIVERY_DATE: 'Send a date in the future, at most a year ahead',
  DUPLICATED_TRANSACTION: 'Read the first order with `getTransactionByWholesalerId`',
  DELIVERY_WORD_NOT_VALID: 'Ask the corner store for the word again, or send it again',
  TRANSACTION_AMOUNT_NOT_ALLOWED: 'Deliver at most the ordered amount and its tolerance',
  INVOICE_ALREADY_EXISTS: 'Read it with `getInvoice`',
  INVOICE_AMOUNT_NOT_ALLOWED: 'Make the lines add up to the order',
  INVOICE_NOT_FOUND: 'Create it first',
  TRANSACTION_NOT_INVOICEABLE: 'Invoice a confirmed order',
  RECEIVABLE_NOT_FOUND: 'Wait for the delivery',
  REFERENCE_NOT_FOUND: 'Ask the payer to check the reference, and take no cash',
  DEPOSIT_CONFLICT: 'Send each deposit with a `claveDePago` of its own; the first one counts',
  DOCUMENT_LIMIT_REACHED: 'Go on with the next step',
  WEBHOOK_ENDPOINT_NOT_FOUND: 'Check the id',
  WEBHOOK_DELIVERY_NOT_FOUND: 'Check the id; deliveries are kept for 30 days',
  WEBHOOK_ENDPOINT_LIMIT_REACHED: 'Delete an endpoint first',
  WEBHOOK_URL_NOT_ALLOWED: 'Use a public https address',
  WEBHOOK_ENDPOINT_IS_NOT_ENABLED: 'Enable the endpoint first',
  WEBHOOK_ENDPOINTS_NEED_EVENTS: 'Delete the endpoints first',
  WEBHOOK_REPLAY_RUNNING: 'Wait until it has ended',
  UNAUTHORIZED: 'Check the key, its expiry, and that it is of this installation',
  SIGNATURE_NOT_VALID: 'Sign the bytes that are sent, with the time of now',
  FORBIDDEN: 'Use a key of the right kind and scope',
  ROUTE_NOT_FOUND: 'Check the path',
  METHOD_NOT_ALLOWED: 'Use a method of the header `Allow`',
  MALFORMED_REQUEST: 'Check the HTTP client',
  REQUEST_TIMEOUT: 'Send the request faster',
  HEADERS_TOO_LARGE: 'Send fewer headers',
  INVALID_JSON: 'Send valid JSON',
  PAYLOAD_TOO_LARGE: 'Send less in one request',
  UNSUPPORTED_MEDIA_TYPE: 'Send `Content-Type: application/json`',
  IDEMPOTENCY_KEY_REUSED: 'Use a new key for another request',
  IDEMPOTENCY_CONFLICT: 'Send the same request again in a second',
  RATE_LIMIT_EXCEEDED: 'Wait for the time in `Retry-After`',
  SERVICE_UNAVAILABLE:
    'Wait for the time in `Retry-After`; a write with an `Idempotency-Key` is safe',
  INTERNAL_ERROR: 'A fault of Fiado: report the `X-Request-Id`',
};

/** Of the lender's people, who call the admin API alone. */
const STAFF_ADVICE: Partial<Record<ErrorCode, string>> = {
  STAFF_NOT_FOUND: 'Check the id',
  STAFF_ALREADY_EXISTS: 'Use the name and the role that the person has, or change the role first',
  STAFF_SESSION_NOT_FOUND: 'List your sessions; this one may have ended',
};

/** Those who integrate (wholesalers and payment providers), or the lender's ops people. */
export type Readers = 'integrators' | 'ops';

/** Of the operations that name the header. */
const idempotency = (
  send: string,
) => `A request with an \`Idempotency-Key\` takes effect once. Its answer is stored for 24 hours and returned
again, byte for byte, with \`Idempotent-Replayed: true\`. ${send}, and repeat a
request whose answer did not arrive with the same key and the same body. Bodies are compared as JSON:
the order of fields makes no difference, nor do zeros at the end of a number.
`;

const protocol = (repeats: string, advice = ERROR_ADVICE) => `## Authentication

Send a key in the header \`Authorization: <key>\`, \`Bearer <key>\` or \`ApiKey <key>\`. Keys begin with
\`fiado_live_\`, in a sandbox with \`fiado_test_\`. \`POST /auth/token\` exchanges a key for an access token
of an hour, which is sent in the same header. Objects of another wholesaler are answered as if they did
not exist.

## Requests

Bodies are JSON in UTF-8; other bytes are refused. Unknown fields are refused where \`additionalProperties\` is false. Elsewhere
they are ignored, and the header \`Fiado-Ignored\` names them; one whose name differs from that of an absent field by capitals
or one letter is refused. An optional field that is \`null\` counts as absent. Amounts are MXN with at most two decimals, at most
100,000,000. Ids are UUIDs; a malformed id is not found (404). Times are ISO 8601; a date without a time
is in the time zone of Mexico City.

${repeats}Lists are answered in pages. Send \`nextCursor\` as \`cursor\` for the next page, until it is null.

## Errors

\`{errorCode, errorMessage}\`. A body or query that fails validation is
\`{statusCode: 400, message: [...], error: "Bad Request"}\` with one text for each problem.
\`resendAccountCode\` answers its own errors as \`{code, message}\`. A request that is not valid HTTP is
answered with 400 \`MALFORMED_REQUEST\`, 408 \`REQUEST_TIMEOUT\` or 431 \`HEADERS_TOO_LARGE\`.

An \`errorCode\` is stable; its text may change. The same request may succeed later where the
table says "again": wait for the seconds in \`Retry-After\` if it is there, otherwise a second, then two, then four.

${errorTable(advice)}
`;

const ORDER = `## Life of an order

\`\`\`text
createTransaction          createTransactions (no code)
createTransactionLink              |
        |                          |
        v          right code      v       deliverTransaction          paid in full
pending-verification ---------> on-hold ---------------------> delivery ------------> paid
        |                          |                            ^    |                 ^
        | 24 hours                 | 30 days after              |    v                 |
        v                          v the expected delivery      in-payment-default ----+
     expired                    expired
\`\`\`

| state | meaning | ends |
| --- | --- | --- |
| \`pending-verification\` | The credit is held, and a code was sent | with the right code; after 24 hours it expires |
| \`on-hold\` | The corner store confirmed the order; the goods may be delivered | with the delivery; 30 days after the expected delivery (or the creation) it expires |
| \`delivery\` | The goods were delivered and the debt is booked | when it is paid |
| \`in-payment-default\` | The debt was not paid by \`paymentDate\`; the corner store cannot order | when it is paid |
| \`paid\` | Nothing is owed | when a payment is reversed |
| \`cancelled\` | The wholesaler cancelled it before the delivery; the credit is free again | never |
| \`expired\` | It was not confirmed or delivered in time; the credit is free again | never |

## Amounts

\`interests\` is \`totalAmount\` times the interest rate of the corner store. \`IVAAmount\` is the IVA on the
interest, 16 %. Both are rounded half up to a cent. \`totalAmountWithInterests\` is their sum: for an order
of 500 at 5 %, 500 + 25 + 4 = 529. All three are computed anew from the \`transactionAmount\` of the
delivery, with the rates of the order's creation.

\`paymentDate\` is the end of a day in \`paymentTimeZone\`, the payment term after the day of the delivery.
Until the delivery it is an estimate. The order keeps its payment term, its tolerance of the delivered
amount and the time zone of the corner store from its creation: later changes reach new orders only. A
debt is overdue from the next day on, and days overdue are days of that calendar. A deposit pays interest first, then IVA, then the price of the
goods; credit becomes available again with the last part.

## Limits

| what | limit |
| --- | --- |
| requests | 300 a second for each credential, bursts of 600: the headers \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell how many are left; then 429 with \`Retry-After\` |
| body | 100 kB; batches, lookups and imports 2 MB; images 8 MB |
| \`metadata\` | 16 KB of JSON |
| \`createTransactions\`, \`getCornerStores\` | 500 items |
| code | 10 minutes, 5 checks for each code, 5 SMS for each verification |
| wrong codes | 20 for each corner store and day |
| delivery word | 5 SMS for each order; 20 wrong words, then ops unlocks the order |
| SMS | 20 a day to one phone; 300 a minute for each wholesaler |
| \`lookUpReference\` | 60 a minute for each payment provider; then 429 with \`Retry-After\` |
| links | 24 hours |
| \`Idempotency-Key\` | 24 hours |
| access token | an hour |
| webhook endpoints | 10 |
| events | kept for 30 days |

The operator of an installation may change the limits of requests and SMS.
`;

const VERSIONS = `## Versions

The path begins with the version, \`/v1\`. Within a version, new endpoints, optional fields of requests,
fields of answers, error codes and types of events may be added: a client ignores what it does not
know. Nothing is removed or changes its meaning. An endpoint that will go is marked as deprecated here
and answers with the headers \`Deprecation\` and \`Sunset\` for at least 12 months before. The guide
“Versions and changes” is at \`/docs\`, the changelog in the repository (\`CHANGELOG.md\`).
`;

/** The head of each document. */
export const INFO = {
  integrators: {
    title: 'Fiado',
    summary: 'Lets a wholesaler sell on credit to corner stores.',
    description: `Fiado lets a wholesaler sell on credit to corner stores: it onboards the store, holds
its credit line, takes orders that the store confirms with a code by SMS, books the debt on delivery,
and accepts deposits from payment providers.

${protocol(`${idempotency('Send a key with each POST and PUT')}\n`)}
${ORDER}
${VERSIONS}`,
  },
  ops: {
    title: 'Fiado for ops',
    summary: 'Lets the lender’s ops people run an installation.',
    description: `Ops onboards wholesalers and payment providers, approves corner stores, assigns and
reverses deposits, and looks after messages and jobs. These endpoints take ops’ keys alone; each key has
a role.

${protocol(`${idempotency('Send one where an operation takes the header')}\n`, {
  ...ERROR_ADVICE,
  ...STAFF_ADVICE,
})}
${VERSIONS}`,
  },
} as const satisfies Record<Readers, object>;

function errorTable(errors: typeof ERROR_ADVICE): string {
  const rows = Object.entries(errors).map(([code, advice]) => {
    const { status, message } = new AppError(code as ErrorCode);
    const again = maySucceedLater(code, status) ? ' **Again.**' : '';
    return `| \`${code}\` | ${status}: ${message}. ${advice}.${again} |`;
  });
  return ['| errorCode | status, meaning, and what to do |', '| --- | --- |', ...rows].join('\n');
}

function maySucceedLater(code: string, status: number): boolean {
  return status === 503 || status === 429 || status === 408 || code === 'IDEMPOTENCY_CONFLICT';
}
