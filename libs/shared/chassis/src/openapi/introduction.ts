import type { Readers } from './document-links';
import { errorTable, type FailingOperation } from './error-table';

/** Of the operations that name the header. */
const idempotency = (
  send: string,
) => `A request with an \`Idempotency-Key\` takes effect once. Its answer is stored for 24 hours and returned
again, byte for byte, with \`Idempotent-Replayed: true\`. ${send}, and repeat a
request whose answer did not arrive with the same key and the same body. Bodies are compared as JSON:
the order of fields makes no difference, nor do zeros at the end of a number or an optional field that is \`null\`.
`;

const protocol = (repeats: string, errors: string) => `## Authentication

Send a key in the header \`Authorization: <key>\`, \`Bearer <key>\` or \`ApiKey <key>\`. Keys begin with
\`fiado_live_\`, in a sandbox with \`fiado_test_\`. \`POST /auth/token\` exchanges a key for an access token
of an hour, which is sent in the same header. Objects of another wholesaler are answered as if they did
not exist.

## Requests

Bodies are JSON in UTF-8; other bytes are refused. Unknown fields are refused where \`additionalProperties\` is false. Elsewhere
they are ignored, and the header \`Fiado-Ignored\` of the answer, also of a refusal, names them; one whose name differs from that of an absent field by capitals
or one letter is refused. An optional field that is \`null\` counts as absent. Amounts are MXN with at most two decimals, at most
100,000,000. Ids are UUIDs; a malformed id is not found (404). Times are ISO 8601; a date without a time
is in the time zone of Mexico City.

${repeats}A list whose answer has \`nextCursor\` is answered in pages: send it as \`cursor\` for the next page, until it is null.

## Errors

\`{errorCode, errorMessage}\`. A body or query that fails validation is
\`{statusCode: 400, message: [...], error: "Bad Request"}\` with one text for each problem.
\`resendAccountCode\` answers its own errors as \`{code, message}\`. A request that is not valid HTTP is
answered with 400 \`MALFORMED_REQUEST\`, 408 \`REQUEST_TIMEOUT\` or 431 \`HEADERS_TOO_LARGE\`.

An \`errorCode\` is stable; its text may change. The same request may succeed later where the
table says "again": wait for the seconds in \`Retry-After\` if it is there, otherwise a second, then two, then four.

${errors}
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
interest, 16 %. Both are rounded half up to a cent. \`totalAmountWithInterests\` is the sum of the three: for an order
of 500 at 5 %, 500 + 25 + 4 = 529. All are computed anew from the \`transactionAmount\` of the
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
| SMS | 20 in 24 hours to one phone, 15 of them of one wholesaler; 300 a minute for each wholesaler |
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

/**
 * The head of a document.
 * @param operations of the document
 * @throws Error for an error code of integrators without advice
 */
export function introduction(readers: Readers, operations: FailingOperation[]): object {
  const errors = errorTable(readers, operations);
  if (readers === 'ops') {
    return {
      title: 'Fiado for ops',
      summary: 'Lets the lender’s ops people run an installation.',
      description: `Ops onboards wholesalers and payment providers, approves corner stores, assigns and
reverses deposits, and looks after messages and jobs. These endpoints take ops’ keys alone; each key has
a role.

${protocol(`${idempotency('Send one where an operation takes the header')}\n`, errors)}
## Versions

The console and the command line belong to a release, and these endpoints are theirs: one that is replaced goes with
the release that replaces it. The changelog in the repository (\`CHANGELOG.md\`) names each, and what takes its place.
`,
    };
  }
  return {
    title: 'Fiado',
    summary: 'Lets a wholesaler sell on credit to corner stores.',
    description: `Fiado lets a wholesaler sell on credit to corner stores: it onboards the store, holds
its credit line, takes orders that the store confirms with a code by SMS, books the debt on delivery,
and accepts deposits from payment providers.

**Begin with the [guides](/docs/guides)**: a quick start, each part with its commands and answers, and the packages for
JavaScript and for tests.

${protocol(`${idempotency('Send a key with each POST and PUT')}\n`, errors)}
${ORDER}
${VERSIONS}`,
  };
}
