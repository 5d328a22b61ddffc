import { createCounter, createGauge } from '@fiado/shared/chassis/metrics';

const DEPOSIT_EVENTS = [
  'received',
  'repeated',
  'contradicted',
  'applied',
  'unmatched',
  'assigned',
  'reversed',
] as const;

const countEvent = createCounter(
  'fiado_deposits_total',
  'What happened to deposits: received new, repeated or contradicted by their provider; applied to ' +
    'a debt or unmatched; assigned or reversed by ops',
  ['event'],
  DEPOSIT_EVENTS.map((event) => ({ event })),
);

export function countDeposit(event: (typeof DEPOSIT_EVENTS)[number]): void {
  countEvent({ event });
}

/** Deposits that wait, for the job (received) or for ops (unmatched). */
export const setWaitingDeposits = createGauge(
  'fiado_deposits_waiting',
  'Deposits that wait: received ones for their job, unmatched ones for ops',
  ['status'],
);

export const setOldestWaitingDeposit = createGauge(
  'fiado_deposits_oldest_waiting_seconds',
  'Age of the deposit that waits longest, by what it waits for; 0 when none does',
  ['status'],
);

const countOpened = createCounter(
  'fiado_payment_defaults_opened_total',
  'Receivables that came into default by the clock, or by a word of ops',
  [],
  [{}],
);

export function countOpenedDefaults(opened: number): void {
  countOpened({}, opened);
}
