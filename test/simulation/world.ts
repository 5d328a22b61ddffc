import * as fc from 'fast-check';
import { MINUTE_MS, type Settings } from './model/model';

/**
 * Initial state of a history. It is generated, so that a failing history shrinks to a simple one.
 */
export interface World {
  start: number;
  wholesalers: [Settings, Settings];
  stores: StoreOfWorld[];
  /** Whether transactions has received all events of accounts before the first step. */
  copied: boolean;
}

export interface StoreOfWorld {
  approved: boolean;
  limitCents: number;
  interestRate: string;
  /** Whether it buys from the second wholesaler too. */
  buysFromBoth: boolean;
}

const START = Date.UTC(2026, 2, 2);
const MINUTES_OF_A_WEEK = 7 * 24 * 60;

/** Rates that produce half cents, rates with six decimals, and 0. */
export const RATES = ['0.05', '0', '0.033333', '0.125', '0.000001'];
export const LIMITS_CENTS = [50_000, 100_000, 33_333];

const settings = (confirmationRequired: fc.Arbitrary<boolean>): fc.Arbitrary<Settings> =>
  fc.record({
    minimumCents: fc.constantFrom(1, 100, 5_000),
    commissionRate: fc.constantFrom(...RATES),
    paymentTermDays: fc.constantFrom(14, 1, 0),
    confirmationRequired,
    overageRate: fc.constantFrom('0.1', '0', '0.333333'),
  });

/** Settings as ops changes them. */
export const anySettings = settings(fc.boolean());

const store: fc.Arbitrary<StoreOfWorld> = fc.record({
  approved: fc.integer({ min: 0, max: 9 }).map((one) => one < 9),
  limitCents: fc.constantFrom(...LIMITS_CENTS),
  interestRate: fc.constantFrom(...RATES),
  buysFromBoth: fc.boolean(),
});

/** Two wholesalers, of which the first asks for codes, and two or three stores of the first. */
export const anyWorld: fc.Arbitrary<World> = fc.record({
  start: fc.nat(MINUTES_OF_A_WEEK).map((minutes) => START + minutes * MINUTE_MS),
  wholesalers: fc.tuple(settings(fc.constant(true)), anySettings),
  stores: fc.array(store, { minLength: 2, maxLength: 3 }),
  copied: fc.integer({ min: 0, max: 4 }).map((one) => one < 4),
});
