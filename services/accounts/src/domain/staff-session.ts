/** A session ends when it was not used for this long. */
export const SESSION_IDLE_MS = 30 * 60_000;
/** A session ends after this, however much it is used: one working day. */
export const SESSION_LIFE_MS = 12 * 60 * 60_000;
/** Life of an invitation: a day to open it. */
export const INVITATION_LIFE_MS = 24 * 60 * 60_000;
/** Time to sign in with a passkey, once it was begun. */
export const CHALLENGE_LIFE_MS = 5 * 60_000;
/** Time to sign in at the identity provider, which may ask for more than a touch. */
export const IDENTITY_PROVIDER_LIFE_MS = 10 * 60_000;
