import type { PhaseName } from './options';

/** The least or the most that a figure may be. */
export type Target = { least: number } | { most: number };

/** A row of the table: a figure that is compared with a target in every run. */
interface Row {
  what: string;
  unit: string;
  /** Absent: the figure is only followed. */
  target?: Target;
  /** For a row that misses its target: why, what was tried, and before and after. */
  finding?: string;
}

/** The rows, in the order of the table. A phase measures those that it names. */
export const ROWS = {
  'least SQL': {
    what: 'order with its SMS, in orders of pgbench with the least SQL',
    unit: '×',
    target: { least: 0.2 },
  },
  textbook: {
    what: 'order with its SMS, in orders of the textbook system',
    unit: '×',
    target: { least: 4 },
  },
  nginx: {
    what: 'gateway in nginx with one worker, for the slower of GET and order',
    unit: '×',
    target: { least: 0.5 },
  },
  'notifier on Redis': {
    what: 'notifier in a bare BullMQ worker, queues on Redis',
    unit: '×',
    target: { least: 0.6 },
  },
  'notifier on Postgres': {
    what: 'notifier in a bare BullMQ worker, queues on Postgres',
    unit: '×',
    target: { least: 0.6 },
  },
  'SMS at half load': {
    what: 'SMS, commit to call, p95, at half of the highest rate of orders',
    unit: 'ms',
    target: { most: 100 },
  },
  growth: {
    what: 'order with its SMS at the large size in one at the small size',
    unit: '×',
    target: { most: 1.05 },
  },
  'waiting SMS': {
    what: 'order with its SMS while SMS wait behind another wholesaler’s cap, in one while none wait',
    unit: '×',
    target: { most: 1.02 },
  },
  'batch item': {
    what: 'an item of a batch of 500 in an order',
    unit: '×',
    target: { most: 0.1 },
  },
  lookup: {
    what: 'lookup of 500 corner stores in a lookup of one',
    unit: '×',
    target: { most: 4 },
  },
  memory: {
    what: 'memory of the five services and the supervisor after many orders',
    unit: 'MB',
    target: { most: 500 },
  },
  start: {
    what: '`npm start` to ready, from the second time on',
    unit: 's',
    target: { most: 4 },
  },
  endpoint: {
    what: 'order with its SMS and a webhook, in one without webhooks',
    unit: '×',
  },
  'hanging endpoints': {
    what: 'SMS p95 beside 300 hanging webhook endpoints, in that without them',
    unit: '×',
    target: { most: 1.2 },
  },
  'scale-out': {
    what: 'CPU of an order with 4 instances of transactions and notifier in that with 1',
    unit: '×',
    target: { most: 1.05 },
  },
  'shared locks': {
    what: 'statements seen waiting for an advisory or a table lock, with 4 instances',
    unit: '',
    target: { most: 0 },
  },
  verify: {
    what: '`fiado verify` after the last round, differences',
    unit: '',
    target: { most: 0 },
  },
} satisfies Record<string, Row>;

export type RowName = keyof typeof ROWS;

/** A row with its fields, some of which it may not have. */
export function rowOf(name: RowName): Row {
  return ROWS[name];
}

/** The phase that measures each row. */
export const ROWS_OF_PHASE: Record<PhaseName, RowName[]> = {
  forwarding: ['nginx'],
  start: ['start', 'memory'],
  sizes: ['least SQL', 'textbook', 'growth', 'batch item', 'lookup', 'verify'],
  sms: ['notifier on Redis', 'notifier on Postgres'],
  load: ['SMS at half load', 'hanging endpoints'],
  neighbours: ['waiting SMS', 'endpoint'],
  scale: ['scale-out', 'shared locks'],
};
