/**
 * HTTP status of each kind of error. A row of the catalogue may carry its own where the spec does.
 */
export const httpStatusOfKind = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  rejected: 422,
  limited: 429,
  unexpected: 500,
  unavailable: 503,
} as const;

export type ErrorKind = keyof typeof httpStatusOfKind;

export interface CatalogueRow {
  kind: ErrorKind;
  title: string;
  /** Only where the spec's error table gives a status that the kind would not. */
  status?: number | undefined;
}

function ofKind(kind: ErrorKind): (title: string, status?: number) => CatalogueRow {
  return (title, status) => ({ kind, title, status });
}
const invalid = ofKind('invalid');
const unauthorized = ofKind('unauthorized');
const forbidden = ofKind('forbidden');
const notFound = ofKind('not_found');
const conflict = ofKind('conflict');
const rejected = ofKind('rejected');
const limited = ofKind('limited');
const unexpected = ofKind('unexpected');
const unavailable = ofKind('unavailable');

/** Every code that the API can answer, once: its kind, its text and, by the kind, its status. */
export const catalogue = {
  // The spec's error table.
  USER_NOT_FOUND: notFound('The user does not exist'),
  USER_IS_VERIFIED: rejected('The user is already verified'),
  USER_IN_MANUAL_VALIDATION: rejected('The user is in manual validation'),
  VERIFICATION_NOT_FOUND: notFound('The verification does not exist'),
  VERIFICATION_NOT_VALID: rejected('The verification is not valid'),
  PHONE_NUMBER_ALREADY_EXISTS: invalid('The phone number is already used by another user'),
  TRANSACTION_NOT_FOUND: notFound('The transaction does not exist'),
  TRANSACTION_IS_VERIFIED: rejected('The transaction is already verified'),
  TRANSACTION_IS_NOT_IN_HOLD: rejected('The transaction is not on hold'),
  TRANSACTION_AMOUNT_NOT_FOUND: invalid('transactionAmount is missing from the request'),
  DELIVERY_WORD_NOT_FOUND: invalid('The transaction has no delivery word'),
  TOO_MANY_ATTEMPTS: limited('Too many messages were requested'),
  CORNER_STORE_NOT_FOUND: notFound('The corner store does not exist'),
  USER_IS_IN_INTERNAL_VALIDATION: rejected('The user is undergoing internal validation', 412),
  CREDIT_LIMIT_EXCEEDED: rejected('The amount exceeds the available credit limit'),
  USER_IS_IN_DEFAULT: rejected('The user is in default'),
  MINIMAL_TRANSACTION_REQUIRED: rejected('The amount is below the required minimum'),
  USER_NOT_VERIFIED: rejected('The user is not verified'),
  INVALID_DELIVERY_DATE: rejected(
    'The delivery date is not in the future, or is more than a year ahead',
  ),

  // Beyond the spec: the business.
  DUPLICATED_TRANSACTION: conflict(
    'A transaction with this wholesalerTransactionId is already in progress',
  ),
  DELIVERY_WORD_NOT_VALID: rejected('The delivery word is not valid'),
  TRANSACTION_AMOUNT_NOT_ALLOWED: rejected(
    'The delivered amount exceeds what the customer confirmed',
  ),
  INVOICE_ALREADY_EXISTS: conflict('The transaction already has an invoice'),
  INVOICE_AMOUNT_NOT_ALLOWED: rejected('The invoice exceeds the amount of the transaction'),
  INVOICE_NOT_FOUND: notFound('The transaction has no invoice'),
  INVOICE_NOT_CANCELLABLE: rejected('The invoice of the transaction is not issued'),
  INVOICE_FILE_NOT_FOUND: notFound('No such document was stamped'),
  INVOICE_ISSUER_NOT_FOUND: notFound('The wholesaler has no issuer of its own'),
  TAX_PROFILE_NOT_FOUND: notFound('The wholesaler has no tax profile'),
  TRANSACTION_NOT_INVOICEABLE: rejected(
    'The transaction is not confirmed, was cancelled or expired, or nobody issues invoices',
  ),
  TRANSACTION_NOT_CREDITABLE: rejected(
    'The transaction is not delivered, or was delivered too long ago',
  ),
  CREDIT_NOTE_ALREADY_EXISTS: conflict('The transaction has a credit note with this reference'),
  CREDIT_NOTE_AMOUNT_NOT_ALLOWED: rejected('The amount exceeds what is left of the delivered one'),
  DISPUTE_NOT_FOUND: notFound('The dispute does not exist'),
  DISPUTE_ALREADY_OPEN: conflict('The transaction has a dispute that is not decided'),
  DISPUTE_ALREADY_ANSWERED: conflict('The dispute has an answer of the wholesaler'),
  DISPUTE_IS_NOT_OPEN: rejected('The dispute is decided'),
  TRANSACTION_NOT_DISPUTABLE: rejected(
    'The transaction is not delivered, or all of it is credited',
  ),
  RECEIVABLE_NOT_FOUND: notFound('The debt does not exist; an order has one once it is delivered'),
  CORNER_STORE_IS_PAUSED: conflict('The corner store is paused: lift the pause first'),
  CORNER_STORE_IS_BLOCKED: conflict('The corner store is blocked at the request of its owner'),
  CUSTOMER_ERASED: conflict('The data of a customer were erased at the request of their owner'),
  NOTHING_ERASED_YET: rejected('Nothing of the person was erased yet'),
  PERSON_HAS_OPEN_BALANCE: rejected(
    'The person owes, has an open order, an open dispute or a credit balance',
  ),
  DEPOSIT_CONFLICT: conflict('Another deposit with this claveDePago was already received'),
  REFERENCE_NOT_FOUND: notFound('No debt is open under this reference'),
  DEPOSIT_NOT_FOUND: notFound('The deposit does not exist'),
  REVERSAL_REQUEST_NOT_FOUND: notFound('Nobody waits for the reversal of this deposit'),
  DEPOSIT_IS_NOT_UNMATCHED: rejected('The deposit is not unmatched, so it cannot be assigned'),
  RECEIVABLE_IS_NOT_OVERDUE: rejected('The debt is not overdue'),
  REPORT_NOT_FOUND: notFound('The books of these days are not there'),
  STATEMENT_NOT_FOUND: notFound('The statement does not exist'),
  STATEMENT_NOT_PAYABLE: rejected('The statement is paid, or nothing is due'),
  STATEMENT_IS_NOT_PAID: rejected('The statement has no payment that the bank could return'),
  ADJUSTMENT_NOT_ALLOWED: rejected(
    'The order is not delivered, or less than the amount is left of what was settled for it',
  ),
  PAYOUT_NOT_FOUND: notFound('The payout does not exist'),
  PAYOUT_AMOUNT_NOT_ALLOWED: rejected(
    'The amount exceeds the credit balance, less what credit notes hold',
  ),
  PAYOUT_IS_NOT_PAID: rejected('The payout was not paid'),
  BANK_REFERENCE_ALREADY_USED: conflict('Another payout or payment has this reference'),
  DEPOSIT_IS_NOT_ASSIGNED: rejected('The deposit is not applied'),
  EXPORT_NOT_FOUND: notFound('The export does not exist, or the link is no longer valid'),
  EXPORT_NOT_READY: rejected('The export has no file: it is not finished, failed or has expired'),
  EXPORT_LIMIT_REACHED: limited('You already have two exports that are not finished'),
  DOCUMENT_NOT_FOUND: notFound('The document does not exist'),
  DOCUMENT_LIMIT_REACHED: rejected('The image limit of this onboarding step is reached'),
  API_KEY_NOT_FOUND: notFound('The API key does not exist'),
  DATA_KEY_NOT_FOUND: notFound('The data key does not exist or is retired'),
  DATA_KEY_IN_USE: conflict('Rows or jobs may still need the data key'),
  TOO_MANY_DATA_KEYS: conflict('Retire older data keys first'),
  OPS_KEY_NOT_FOUND: notFound('The ops key does not exist'),
  STAFF_NOT_FOUND: notFound('The staff member does not exist'),
  TOO_MANY_REVEALS: limited('This person was shown too many phone numbers today'),
  STAFF_ALREADY_EXISTS: conflict(
    'This e-mail address belongs to a staff member with another name or role',
  ),
  LAST_ADMIN: conflict('The last admin would lose access: make somebody else an admin first'),
  STAFF_SESSION_NOT_FOUND: notFound('You have no such session'),
  SIGN_IN_NOT_VALID: rejected('The sign-in is not valid or took too long'),
  SIGN_IN_NOT_ALLOWED: rejected(
    'This person of the identity provider may not sign in: ask an administrator',
  ),
  WHOLESALER_NOT_FOUND: notFound('The wholesaler does not exist'),
  CUSTOMER_CONFLICT: conflict('A customer conflicts with an existing customer of this wholesaler'),
  PROVIDER_NOT_FOUND: notFound('The payment provider does not exist'),
  PROVIDER_ALREADY_EXISTS: conflict('A payment provider with this name already exists'),
  CHANGE_REQUEST_NOT_FOUND: notFound('The change request does not exist'),
  CHANGE_REQUEST_IS_NOT_PENDING: rejected(
    'The change request is decided, expired or not ready to be collected',
  ),
  CHANGE_TARGET_CHANGED: conflict(
    'The object was changed after the request, which ended unmade: ask for it again',
  ),
  CHANGE_IS_STALE: conflict(
    'What the change is about was changed after the request: ask for it again',
  ),
  CHANGE_ALREADY_REQUESTED: conflict(
    'Another change of this object already waits for a second person',
  ),
  SECOND_PERSON_REQUIRED: forbidden(
    'Who asked for a change cannot decide on it, and only who asked can collect its secret',
  ),
  SIGN_IN_REQUIRED: forbidden('Only a person who signed in less than five minutes ago may decide'),
  PRIVACY_REQUEST_NOT_FOUND: notFound('The privacy request does not exist'),
  PRIVACY_REQUEST_ALREADY_OPEN: conflict('The person has an open request of this kind'),
  PRIVACY_PACKAGE_NOT_READY: rejected('The copy is not made yet, or its time is over'),
  PRIVACY_REQUEST_IS_NOT_OPEN: rejected(
    'The privacy request is answered, or its time cannot be extended any more',
  ),
  CONFIRMATION_REQUIRED: rejected(
    'The values are unusual: repeat the request with confirmed: true if they are meant',
  ),
  REASON_REQUIRED: rejected('The decision needs a reason'),
  JOB_NOT_FOUND: notFound('The job does not exist'),
  JOB_IS_NOT_FAILED: rejected('The job is not failed, so it cannot be retried'),
  WEBHOOK_ENDPOINT_NOT_FOUND: notFound('The webhook endpoint does not exist'),
  WEBHOOK_DELIVERY_NOT_FOUND: notFound('The delivery does not exist'),
  WEBHOOK_ENDPOINT_LIMIT_REACHED: rejected('There are already 10 webhook endpoints'),
  WEBHOOK_URL_NOT_ALLOWED: rejected(
    'The url must be https with a host name that resolves to public addresses, on port 443 or from 1024',
  ),
  WEBHOOK_ENDPOINT_IS_NOT_ENABLED: rejected(
    'The webhook endpoint is paused or disabled; enable it first',
  ),
  WEBHOOK_ENDPOINTS_NEED_EVENTS: conflict(
    'There are webhook endpoints, which need events; delete them first',
  ),
  WEBHOOK_REPLAY_RUNNING: conflict('A replay to this webhook endpoint is still running'),

  // Beyond the spec: the protocol.
  UNAUTHORIZED: unauthorized('The credential is not valid'),
  SIGNATURE_NOT_VALID: unauthorized('The Fiado-Signature header is missing, invalid or too old'),
  FORBIDDEN: forbidden('The credential does not allow this call'),
  ROUTE_NOT_FOUND: notFound('The route does not exist'),
  METHOD_NOT_ALLOWED: invalid('The route does not support this method; see the Allow header', 405),
  MALFORMED_REQUEST: invalid('The request is not valid HTTP'),
  REQUEST_TIMEOUT: invalid('The request took too long to arrive', 408),
  HEADERS_TOO_LARGE: invalid('The request headers are too large', 431),
  INVALID_JSON: invalid('The request body is not valid JSON'),
  PAYLOAD_TOO_LARGE: invalid('The request body is too large', 413),
  UNSUPPORTED_MEDIA_TYPE: invalid('The request body must be application/json in UTF-8', 415),
  IDEMPOTENCY_KEY_REUSED: rejected('This Idempotency-Key was used with another request body'),
  IDEMPOTENCY_CONFLICT: conflict('A request with this Idempotency-Key is still running'),
  RATE_LIMIT_EXCEEDED: limited('Too many requests'),
  // Between services, for the operator: one does not know the other's public key,
  // or their clocks differ.
  INTERNAL_TOKEN_NOT_VALID: unexpected('Internal authentication failed', 503),
  SERVICE_UNAVAILABLE: unavailable('The service is temporarily unavailable'),
  INTERNAL_ERROR: unexpected('Internal server error'),
};
