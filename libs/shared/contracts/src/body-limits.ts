/**
 * Longest bodies of the API, in bytes: the services check each route's, the gateway its group's.
 * Below them, the most values that a body may hold.
 */

/** Limit of a route that names none. */
export const DEFAULT_BODY_LIMIT = 100 * 1024;
/** Limit of a batch: 500 orders with some 25 lines each. */
export const BATCH_BODY_LIMIT = 2 * 1024 * 1024;
/** Limit of an onboarding step with the largest image in base64. */
export const STEP_BODY_LIMIT = 8 * 1024 * 1024;
/** Limit of a webhook of Facturapi, which holds the document: an invoice has up to 500 lines. */
export const DOCUMENT_WEBHOOK_LIMIT = 1024 * 1024;

/**
 * Values in a body, by default: 100 kB hold this many fields with a key of three letters and a
 * value of one digit.
 */
export const DEFAULT_MAX_VALUES = 12_500;
/** A batch of 500 orders with 25 lines of three fields, or a question for 10,000 snapshots. */
export const BATCH_MAX_VALUES = 50_000;
