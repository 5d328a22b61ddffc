/** Longest bodies of the API, in bytes: the services check each route's, the gateway its group's. */

/** Of a route that names no limit of its own. */
export const DEFAULT_BODY_LIMIT = 100 * 1024;
/** Of a batch: 500 orders with some 25 lines each. */
export const BATCH_BODY_LIMIT = 2 * 1024 * 1024;
/** Of an onboarding step with the largest image in base64. */
export const STEP_BODY_LIMIT = 8 * 1024 * 1024;
