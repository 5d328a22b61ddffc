/**
 * Page views of one address in a second. Each costs a service one call. Generous, as the phones of
 * a whole mobile carrier may come from one; a code is guarded by its own count of checks.
 */
export const PAGES_PER_SECOND = 100;
/** Callbacks of one address in a second: three for each SMS, and Twilio sends them from few. */
export const CALLBACKS_PER_SECOND = 500;
