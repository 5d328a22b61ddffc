/**
 * Lanes of the webhook sender: attempts of one lane never wait for another's. An endpoint is good
 * when it took an event in the last day, new when it never did, and slow when it hangs or fails.
 */
export const LANES = ['good', 'new', 'slow'] as const;
export type Lane = (typeof LANES)[number];

export interface LaneLimits {
  /** Attempts of the lane at the same time, in one process. */
  places: number;
  /** Attempts at one endpoint at the same time, in all processes. */
  perEndpoint: number;
  /** Attempts at all endpoints of one owner at the same time. */
  perOwner: number;
}

/**
 * The good lane has room for many quick answers. One owner may take a third of it: its endpoints
 * could all begin to hang at once, and keep their places for LEAVE_LANE_MS.
 */
export const LANE_LIMITS: Record<Lane, LaneLimits> = {
  good: { places: 48, perEndpoint: 4, perOwner: 16 },
  new: { places: 16, perEndpoint: 1, perOwner: 4 },
  slow: { places: 64, perEndpoint: 1, perOwner: 4 },
};

/** An attempt that takes longer gives its place back, and its endpoint becomes slow. */
export const LEAVE_LANE_MS = 2_000;
/** Failures after each other that make an endpoint slow. */
export const SLOW_AFTER_FAILURES = 5;
