import { AppError, type ErrorCode } from '@fiado/contracts/errors';
import { documentLinks, type Readers } from './document-links';
import type { Operation } from './operation';

/** The action that each error asks of a caller; errors that only the lender’s people see may be absent. */
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
  TOO_MANY_ATTEMPTS:
    'With `Retry-After` send it again after those seconds; without it the attempts are used up for good: start anew, ' +
    'or ask the lender',
  CORNER_STORE_NOT_FOUND: 'Check the id; it must be of a customer of yours',
  USER_IS_IN_INTERNAL_VALIDATION: 'Wait until the lender has decided; sell for cash meanwhile',
  CREDIT_LIMIT_EXCEEDED: 'Reduce the amount to `maximumAmount`; without it, ask `checkTransaction`',
  USER_IS_IN_DEFAULT: 'Ask the corner store to pay its overdue debt',
  MINIMAL_TRANSACTION_REQUIRED: 'Raise the order to `minimumAmount`',
  USER_NOT_VERIFIED: 'Finish the onboarding first',
  INVALID_DELIVERY_DATE: 'Send a date in the future, at most a year ahead',
  DUPLICATED_TRANSACTION: 'Read the first order with `getTransactionByWholesalerId`',
  DELIVERY_WORD_NOT_VALID: 'Ask the corner store for the word again, or send it again',
  TRANSACTION_AMOUNT_NOT_ALLOWED:
    'Deliver at most `maximumAmount`: the ordered amount and its tolerance',
  INVOICE_ALREADY_EXISTS: 'Read it with `getInvoice`',
  INVOICE_AMOUNT_NOT_ALLOWED: 'Make the lines add up to `maximumAmount` at most',
  INVOICE_NOT_FOUND: 'Create it first',
  INVOICE_NOT_CANCELLABLE:
    'Wait until it is issued; a `failed` one is replaced. Send `substitutionUuid` with the motive 01',
  INVOICE_FILE_NOT_FOUND: 'Wait until an invoice of the kind `invoice` is issued',
  TRANSACTION_NOT_INVOICEABLE: 'Invoice a confirmed order',
  TRANSACTION_NOT_CREDITABLE: 'Credit a delivered order within 60 days; later ask the lender',
  CREDIT_NOTE_ALREADY_EXISTS:
    'Read it with `listCreditNotes`; use a new `reference` for another one',
  CREDIT_NOTE_AMOUNT_NOT_ALLOWED: 'Credit at most `maximumAmount`',
  DISPUTE_NOT_FOUND: 'Read `dispute` of `getTransaction`: no dispute is open',
  DISPUTE_ALREADY_ANSWERED: 'Call the lender if there is more to say',
  CHANGE_ALREADY_REQUESTED: 'Wait until the lender has decided on the first one',
  CUSTOMER_CONFLICT: 'Use another `externalId` or phone number, or that customer',
  STATEMENT_NOT_FOUND: 'Check the id; list them with `listStatements`',
  RECEIVABLE_NOT_FOUND: 'Wait for the delivery',
  REFERENCE_NOT_FOUND: 'Ask the payer to check the reference, and take no cash',
  DEPOSIT_NOT_FOUND: 'Check the id; it must be of a deposit of yours',
  DEPOSIT_CONFLICT: 'Send each deposit with a `claveDePago` of its own; the first one counts',
  DOCUMENT_LIMIT_REACHED: 'Go on with the next step',
  WEBHOOK_ENDPOINT_NOT_FOUND: 'Check the id',
  WEBHOOK_DELIVERY_NOT_FOUND: 'Check the id; deliveries are kept for 30 days',
  WEBHOOK_ENDPOINT_LIMIT_REACHED: 'Delete an endpoint first',
  WEBHOOK_URL_NOT_ALLOWED: 'Use a public https address',
  WEBHOOK_ENDPOINT_IS_NOT_ENABLED: 'Enable the endpoint first',
  WEBHOOK_ENDPOINTS_NEED_EVENTS: 'Delete the endpoints first',
  WEBHOOK_REPLAY_RUNNING: 'Wait until it has ended',
  UNAUTHORIZED:
    'The text tells whether the header is missing or malformed; otherwise check the key, its expiry, and that it is ' +
    'of this installation',
  SIGNATURE_NOT_VALID: 'Sign the bytes that are sent, with the time of now',
  FORBIDDEN:
    'Use a key of the right kind and scope; a provider sends its own name as it is spelled',
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
  STAFF_NOT_FOUND: 'Check the id',
  STAFF_ALREADY_EXISTS: 'Use the name and the role that the person has, or change the role first',
  STAFF_SESSION_NOT_FOUND: 'List your sessions; this one may have ended',
};

/** Codes of requests that fail before their operation is known. */
export const OF_NO_OPERATION: ErrorCode[] = [
  'MALFORMED_REQUEST',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'METHOD_NOT_ALLOWED',
];

/** An operation of a document, and every error that it may answer. */
export interface FailingOperation extends Pick<Operation, 'id' | 'tag'> {
  method: string;
  /** In the document: `/transaction/{transactionId}`. */
  path: string;
  codes: ErrorCode[];
}

/** Errors of more operations than these are listed without the operations. */
const MAX_OPERATIONS = 8;

/**
 * A table of every error of a document, with what a caller does about it and links to the operations.
 * @throws Error for a code of integrators without advice
 */
export function errorTable(readers: Readers, operations: FailingOperation[]): string {
  const byCode = new Map<ErrorCode, FailingOperation[]>(OF_NO_OPERATION.map((code) => [code, []]));
  for (const operation of operations) {
    for (const code of operation.codes) {
      byCode.set(code, [...(byCode.get(code) ?? []), operation]);
    }
  }
  const unadvised = [...byCode.keys()].filter((code) => ERROR_ADVICE[code] === undefined);
  if (readers === 'integrators' && unadvised.length > 0) {
    throw new Error(`Nothing tells integrators what to do about ${unadvised.join(', ')}`);
  }
  const links = documentLinks(readers);
  const rows = [...byCode]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, failing]) => {
      const { status, message } = new AppError(code);
      const isCommon = failing.length === 0 || failing.length > MAX_OPERATIONS;
      const names = failing.map((one) => `[\`${one.id}\`](${links.operation(one)})`);
      const parts = [
        `${status}: ${message}.`,
        ERROR_ADVICE[code] === undefined ? '' : `${ERROR_ADVICE[code]}.`,
        maySucceedLater(code, status) ? '**Again.**' : '',
        isCommon ? '' : `Of ${names.join(', ')}.`,
      ];
      return `| \`${code}\` | ${parts.filter((part) => part !== '').join(' ')} |`;
    });
  return ['| errorCode | status, meaning, and what to do |', '| --- | --- |', ...rows].join('\n');
}

/** TOO_MANY_ATTEMPTS depends on the limit; its advice has the rule. */
function maySucceedLater(code: ErrorCode, status: number): boolean {
  const isBusy = status === 503 || status === 429 || status === 408;
  return (isBusy && code !== 'TOO_MANY_ATTEMPTS') || code === 'IDEMPOTENCY_CONFLICT';
}
