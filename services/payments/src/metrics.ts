import { createCounter, createGauge } from '@fiado/chassis/metrics';

const DEPOSIT_EVENTS = [
  'received',
  'repeated',
  'contradicted',
  'applied',
  'unmatched',
  'assigned',
  'unassigned',
  'reversed',
] as const;

const countEvent = createCounter(
  'fiado_deposits_total',
  'What happened to deposits: received new, repeated or contradicted by their provider; applied to ' +
    'a debt or unmatched; assigned, unassigned or reversed by ops',
  ['event'],
  DEPOSIT_EVENTS.map((event) => ({ event })),
);

export function countDeposit(event: (typeof DEPOSIT_EVENTS)[number]): void {
  countEvent({ event });
}

/** Deposits that wait, for the loop (received) or for ops (unmatched). */
export const waitingDeposits = createGauge(
  'fiado_deposits_waiting',
  'Waiting deposits: received ones wait to be applied, unmatched ones for ops',
  ['status'],
);

export const oldestWaitingDeposit = createGauge(
  'fiado_deposits_oldest_waiting_seconds',
  'Age of the oldest waiting deposit, by what it waits for; 0 if none waits',
  ['status'],
);

/** Notices to corner stores that could go out now. A round of their loop takes all of them. */
export const dueNotices = createGauge(
  'fiado_notices_due',
  'Messages about debts that are due and not sent; those that wait for the day are not counted',
  [],
);

export const oldestDueNotice = createGauge(
  'fiado_notices_oldest_due_seconds',
  'How long the first of the due messages about debts has been due; 0 if none is',
  [],
);

export const portfolioBehind = createGauge(
  'fiado_portfolio_behind_seconds',
  'For how long the oldest day that is not in the portfolio reports could have been filled; 0 if none is missing',
  [],
);

const countOpened = createCounter(
  'fiado_payment_defaults_opened_total',
  'Receivables that went into default, detected by the loop or by ops',
  [],
  [{}],
);

export function countOpenedDefaults(opened: number): void {
  countOpened({}, opened);
}
