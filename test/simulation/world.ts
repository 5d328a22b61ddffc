import type { CornerStoreStatus } from '@fiado/shared/contracts/corner-store';
import type { Random } from './random';

/** What ops says of a corner store. */
export interface StoreTerms {
  status: CornerStoreStatus;
  limitCents: number;
  interestRate: string;
}

/** A wholesaler's settings that decide or price something. */
export interface Settings {
  minimumCents: number;
  commissionRate: string;
  paymentTermDays: number;
  confirmationRequired: boolean;
  overageRate: string;
}

/** How a history begins; what both the house and its model are told. */
export interface World {
  start: Date;
  settings: Map<string, Settings>;
  stores: Map<string, StoreTerms>;
  /** `wholesaler/store`. */
  customers: Set<string>;
}

export const IVA_RATE = '0.16';
export const TIME_ZONE = 'America/Mexico_City';
export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** Rates that round: thirds of a percent, six decimals, none at all. */
const RATES = ['0', '0.05', '0.033333', '0.1', '0.125', '0.000001'] as const;
const STATUSES: CornerStoreStatus[] = [
  'approved',
  'approved',
  'approved',
  'pre-approved',
  'in-manual-validation',
];

export function drawRate(random: Random): string {
  return random.pick(RATES);
}

export function drawStatus(random: Random): CornerStoreStatus {
  return random.pick(STATUSES);
}

/** Two wholesalers and three stores; the last store buys from the first wholesaler only. */
export function drawWorld(random: Random): World {
  const settings = ['w1', 'w2'].map((id, index): [string, Settings] => [
    id,
    {
      minimumCents: random.pick([0, 100, 5_000]),
      commissionRate: drawRate(random),
      paymentTermDays: random.pick([0, 1, 14]),
      confirmationRequired: index === 0 || random.chance(0.5),
      overageRate: random.pick(['0', '0.1', '0.10', '0.333333']),
    },
  ]);
  const stores = ['s1', 's2', 's3'].map((id): [string, StoreTerms] => [
    id,
    {
      status: random.chance(0.8) ? 'approved' : drawStatus(random),
      limitCents: random.pick([50_000, 100_000, 33_333]),
      interestRate: drawRate(random),
    },
  ]);
  return {
    start: new Date(Date.UTC(2026, 10, 20) + random.below(DAY_MS)),
    settings: new Map(settings),
    stores: new Map(stores),
    customers: new Set(['w1/s1', 'w1/s2', 'w1/s3', 'w2/s1', 'w2/s2']),
  };
}
