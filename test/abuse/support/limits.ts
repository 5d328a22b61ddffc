import { GatewayConfig } from '../../../services/gateway/src/config';

/** Requests of one credential in a second that are allowed in the long run. */
export const ALLOWED_PER_SECOND = new GatewayConfig().RATE_LIMIT_PER_SECOND;

/** Whether percentiles are measured: `npm run test:abuse -- --measure`. */
export const IS_MEASURED = process.env.ABUSE_MEASURE !== undefined;

/** An attack lasts long enough to show that it fails, or to measure percentiles. */
export const ATTACK_MS = IS_MEASURED ? 20_000 : 2_500;
