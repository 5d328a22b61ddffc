/**
 * Deadlines and pauses of a process that tests would wait for, in milliseconds. Production takes
 * those of TIMING, and all tests take those of testing/timing.ts.
 */
export interface Timing {
  /** How long a request, or a statement of the queues in Postgres, waits for a connection before it fails. */
  connect: number;
  /** A dependency that answers a readiness check later than this counts as unavailable. */
  check: number;
  /** How often a canary is sent through the queue of a worker. */
  canary: number;
  /**
   * A worker that shows no activity for so long is stuck. Two canaries in a row that failed, and two
   * seconds for a busy machine: the result of a canary may be known one interval late.
   */
  workerSilence: number;
  /**
   * How often the gauges of a queue or an outbox are read: more often than Prometheus scrapes, as
   * counting rows is not free.
   */
  sample: number;
  /** Time for a whole answer that the gateway forwards, from when the request has arrived. */
  forward: number;
  /** How long a request counts as a recent one of its caller: about twenty times the duration of an order. */
  recentRequest: number;
  /** How often the gateway looks at requests that are still arriving. */
  lookAtArrivals: number;
  /** Without a byte of an S3 store in this time, a try has failed. */
  s3Try: number;
  /** A call of an S3 store with its tries. The gateway waits 20 s for an upload, which is cleaned before. */
  s3Call: number;
  /** How often exports are looked for: a person waits for the first part. */
  exports: number;
  /** Poll interval of due messages. A new message that is not claimed when it is stored wakes the sender. */
  sendMessages: number;
  /** How often deliveries are looked for that are due again, or that another process has stored. */
  sendWebhooks: number;
  /** How often expired messages, and messages and webhooks whose sender crashed, are looked for. */
  settle: number;
}

export const TIMING: Timing = {
  connect: 2_000,
  check: 1_000,
  canary: 5_000,
  workerSilence: 12_000,
  sample: 10_000,
  forward: 10_000,
  recentRequest: 500,
  lookAtArrivals: 500,
  s3Try: 4_000,
  s3Call: 9_000,
  exports: 2_000,
  sendMessages: 1_000,
  sendWebhooks: 500,
  settle: 5_000,
};
