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
  status?: number;
}

/** Every code that the API can answer, once: its kind, its text and, by the kind, its status. */
export const catalogue = {
  // The spec's error table.
  USER_NOT_FOUND: { kind: 'not_found', title: 'The user does not exist' },
  USER_IS_VERIFIED: { kind: 'rejected', title: 'The user is already verified' },
  USER_IN_MANUAL_VALIDATION: { kind: 'rejected', title: 'The user is in manual validation' },
  VERIFICATION_NOT_FOUND: { kind: 'not_found', title: 'The verification does not exist' },
  VERIFICATION_NOT_VALID: { kind: 'rejected', title: 'The verification is not valid' },
  PHONE_NUMBER_ALREADY_EXISTS: {
    kind: 'invalid',
    title: 'The phone number is already used by another user',
  },
  TRANSACTION_NOT_FOUND: { kind: 'not_found', title: 'The transaction does not exist' },
  TRANSACTION_IS_VERIFIED: { kind: 'rejected', title: 'The transaction is already verified' },
  TRANSACTION_IS_NOT_IN_HOLD: { kind: 'rejected', title: 'The transaction is not on hold' },
  TRANSACTION_AMOUNT_NOT_FOUND: {
    kind: 'invalid',
    title: 'transactionAmount is missing from the request',
  },
  DELIVERY_WORD_NOT_FOUND: { kind: 'invalid', title: 'The transaction has no delivery word' },
  TOO_MANY_ATTEMPTS: { kind: 'limited', title: 'Too many messages were requested' },
  CORNER_STORE_NOT_FOUND: { kind: 'not_found', title: 'The corner store does not exist' },
  USER_IS_IN_INTERNAL_VALIDATION: {
    kind: 'rejected',
    title: 'The user is undergoing internal validation',
    status: 412,
  },
  CREDIT_LIMIT_EXCEEDED: {
    kind: 'rejected',
    title: 'The amount exceeds the available credit limit',
  },
  USER_IS_IN_DEFAULT: { kind: 'rejected', title: 'The user is in default' },
  MINIMAL_TRANSACTION_REQUIRED: {
    kind: 'rejected',
    title: 'The amount is below the required minimum',
  },
  USER_NOT_VERIFIED: { kind: 'rejected', title: 'The user is not verified' },
  INVALID_DELIVERY_DATE: {
    kind: 'rejected',
    title: 'The delivery date is not in the future, or is more than a year ahead',
  },

  // Beyond the spec: the business.
  DUPLICATED_TRANSACTION: {
    kind: 'conflict',
    title: 'A transaction with this wholesalerTransactionId is already in progress',
  },
  DELIVERY_WORD_NOT_VALID: { kind: 'rejected', title: 'The delivery word is not valid' },
  TRANSACTION_AMOUNT_NOT_ALLOWED: {
    kind: 'rejected',
    title: 'The delivered amount exceeds what the customer confirmed',
  },
  INVOICE_ALREADY_EXISTS: { kind: 'conflict', title: 'The transaction already has an invoice' },
  INVOICE_AMOUNT_NOT_ALLOWED: {
    kind: 'rejected',
    title: 'The invoice exceeds the amount of the transaction',
  },
  INVOICE_NOT_FOUND: { kind: 'not_found', title: 'The transaction has no invoice' },
  TRANSACTION_NOT_INVOICEABLE: {
    kind: 'rejected',
    title: 'The transaction is not confirmed, or was cancelled or expired',
  },
  RECEIVABLE_NOT_FOUND: {
    kind: 'not_found',
    title: 'The debt does not exist; an order has one once it is delivered',
  },
  DEPOSIT_CONFLICT: {
    kind: 'conflict',
    title: 'Another deposit with this claveDePago was already received',
  },
  REFERENCE_NOT_FOUND: {
    kind: 'not_found',
    title: 'No debt is open under this reference',
  },
  DEPOSIT_NOT_FOUND: { kind: 'not_found', title: 'The deposit does not exist' },
  DEPOSIT_IS_NOT_UNMATCHED: {
    kind: 'rejected',
    title: 'The deposit is not unmatched, so it cannot be assigned',
  },
  PAYOUT_NOT_FOUND: { kind: 'not_found', title: 'The payout does not exist' },
  PAYOUT_AMOUNT_NOT_ALLOWED: { kind: 'rejected', title: 'The amount exceeds the credit balance' },
  PAYOUT_IS_NOT_PAID: { kind: 'rejected', title: 'The payout was not paid' },
  BANK_REFERENCE_ALREADY_USED: { kind: 'conflict', title: 'Another payout has this reference' },
  DEPOSIT_IS_NOT_ASSIGNED: { kind: 'rejected', title: 'The deposit is not applied' },
  DOCUMENT_NOT_FOUND: { kind: 'not_found', title: 'The document does not exist' },
  DOCUMENT_LIMIT_REACHED: {
    kind: 'rejected',
    title: 'The image limit of this onboarding step is reached',
  },
  API_KEY_NOT_FOUND: { kind: 'not_found', title: 'The API key does not exist' },
  DATA_KEY_NOT_FOUND: { kind: 'not_found', title: 'The data key does not exist or is retired' },
  DATA_KEY_IN_USE: {
    kind: 'conflict',
    title: 'Rows or jobs may still need the data key',
  },
  TOO_MANY_DATA_KEYS: { kind: 'conflict', title: 'Retire older data keys first' },
  OPS_KEY_NOT_FOUND: { kind: 'not_found', title: 'The ops key does not exist' },
  STAFF_NOT_FOUND: { kind: 'not_found', title: 'The staff member does not exist' },
  STAFF_ALREADY_EXISTS: {
    kind: 'conflict',
    title: 'This e-mail address belongs to a staff member with another name or role',
  },
  LAST_ADMIN: {
    kind: 'conflict',
    title: 'The last admin would lose access: make somebody else an admin first',
  },
  STAFF_SESSION_NOT_FOUND: { kind: 'not_found', title: 'You have no such session' },
  SIGN_IN_NOT_VALID: { kind: 'rejected', title: 'The sign-in is not valid or took too long' },
  SIGN_IN_NOT_ALLOWED: {
    kind: 'rejected',
    title: 'This person of the identity provider may not sign in: ask an administrator',
  },
  WHOLESALER_NOT_FOUND: { kind: 'not_found', title: 'The wholesaler does not exist' },
  CUSTOMER_CONFLICT: {
    kind: 'conflict',
    title: 'A customer conflicts with an existing customer of this wholesaler',
  },
  PROVIDER_NOT_FOUND: { kind: 'not_found', title: 'The payment provider does not exist' },
  PROVIDER_ALREADY_EXISTS: {
    kind: 'conflict',
    title: 'A payment provider with this name already exists',
  },
  CHANGE_REQUEST_NOT_FOUND: { kind: 'not_found', title: 'The change request does not exist' },
  CHANGE_REQUEST_IS_NOT_PENDING: {
    kind: 'rejected',
    title: 'The change request is decided, expired or not ready to be collected',
  },
  CHANGE_TARGET_CHANGED: {
    kind: 'conflict',
    title: 'The object was changed after the request, which ended unmade: ask for it again',
  },
  CHANGE_IS_STALE: {
    kind: 'conflict',
    title: 'What the change is about was changed after the request: ask for it again',
  },
  CHANGE_ALREADY_REQUESTED: {
    kind: 'conflict',
    title: 'Another change of this object already waits for a second person',
  },
  SECOND_PERSON_REQUIRED: {
    kind: 'forbidden',
    title: 'Who asked for a change cannot decide on it, and only who asked can collect its secret',
  },
  SIGN_IN_REQUIRED: {
    kind: 'forbidden',
    title: 'Only a person who signed in less than five minutes ago may decide',
  },
  CONFIRMATION_REQUIRED: {
    kind: 'rejected',
    title: 'The values are unusual: repeat the request with confirmed: true if they are meant',
  },
  REASON_REQUIRED: {
    kind: 'rejected',
    title: 'The onboarding is incomplete: an approval needs a reason',
  },
  JOB_NOT_FOUND: { kind: 'not_found', title: 'The job does not exist' },
  JOB_IS_NOT_FAILED: { kind: 'rejected', title: 'The job is not failed, so it cannot be retried' },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    kind: 'not_found',
    title: 'The webhook endpoint does not exist',
  },
  WEBHOOK_DELIVERY_NOT_FOUND: { kind: 'not_found', title: 'The delivery does not exist' },
  WEBHOOK_ENDPOINT_LIMIT_REACHED: {
    kind: 'rejected',
    title: 'There are already 10 webhook endpoints',
  },
  WEBHOOK_URL_NOT_ALLOWED: {
    kind: 'rejected',
    title:
      'The url must be https with a host name that resolves to public addresses, on port 443 or from 1024',
  },
  WEBHOOK_ENDPOINT_IS_NOT_ENABLED: {
    kind: 'rejected',
    title: 'The webhook endpoint is paused or disabled; enable it first',
  },
  WEBHOOK_ENDPOINTS_NEED_EVENTS: {
    kind: 'conflict',
    title: 'There are webhook endpoints, which need events; delete them first',
  },
  WEBHOOK_REPLAY_RUNNING: {
    kind: 'conflict',
    title: 'A replay to this webhook endpoint is still running',
  },

  // Beyond the spec: the protocol.
  UNAUTHORIZED: { kind: 'unauthorized', title: 'The credential is missing or not valid' },
  SIGNATURE_NOT_VALID: {
    kind: 'unauthorized',
    title: 'The Fiado-Signature header is missing, invalid or too old',
  },
  FORBIDDEN: { kind: 'forbidden', title: 'The credential does not allow this call' },
  ROUTE_NOT_FOUND: { kind: 'not_found', title: 'The route does not exist' },
  METHOD_NOT_ALLOWED: {
    kind: 'invalid',
    title: 'The route does not support this method; see the Allow header',
    status: 405,
  },
  MALFORMED_REQUEST: { kind: 'invalid', title: 'The request is not valid HTTP' },
  REQUEST_TIMEOUT: { kind: 'invalid', title: 'The request took too long to arrive', status: 408 },
  HEADERS_TOO_LARGE: { kind: 'invalid', title: 'The request headers are too large', status: 431 },
  INVALID_JSON: { kind: 'invalid', title: 'The request body is not valid JSON' },
  PAYLOAD_TOO_LARGE: { kind: 'invalid', title: 'The request body is too large', status: 413 },
  UNSUPPORTED_MEDIA_TYPE: {
    kind: 'invalid',
    title: 'The request body must be application/json in UTF-8',
    status: 415,
  },
  IDEMPOTENCY_KEY_REUSED: {
    kind: 'rejected',
    title: 'This Idempotency-Key was used with another request body',
  },
  IDEMPOTENCY_CONFLICT: {
    kind: 'conflict',
    title: 'A request with this Idempotency-Key is still running',
  },
  RATE_LIMIT_EXCEEDED: { kind: 'limited', title: 'Too many requests' },
  // Between services, for the operator: one does not know the other's public key,
  // or their clocks differ.
  INTERNAL_TOKEN_NOT_VALID: {
    kind: 'unexpected',
    title: 'Internal authentication failed',
    status: 503,
  },
  SERVICE_UNAVAILABLE: { kind: 'unavailable', title: 'The service is temporarily unavailable' },
  INTERNAL_ERROR: { kind: 'unexpected', title: 'Internal server error' },
} as const satisfies Record<string, CatalogueRow>;
