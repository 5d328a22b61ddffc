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
    target: { least: 0.18 },
    finding:
      'createTransaction’s one statement alone reaches 0.14 of the least SQL in pgbench: it also ' +
      'has foreign keys, the indexes of the lists, the idempotent answer and the outbox row. The rest is two ' +
      'HTTP hops, a job and the call of the provider, most of it in Node. 0.041 × with 24 connections in the ' +
      'run before. Since then: one batch at a time, each with what came in a turn of the event loop; look-ups ' +
      'that a plan for new tables does not turn into scans; one statement for the messages of a bundle; ' +
      'requests of Express with a hidden class that V8 has seen. Before that: ids in the order of time (the ' +
      'statement at a million orders 1.65 × → 1.04 × of ten thousand), prepared statements of the relay, log ' +
      'lines that are written together, a breaker that only counts, messages and outcomes in batches. Tried in ' +
      'vain: a young generation of 32 or 64 MB (1.00 and 0.98 × of the CPU time).',
  },
  textbook: {
    what: 'order with its SMS, in orders of the textbook system',
    unit: '×',
    target: { least: 5 },
    finding:
      'Its order has eight round trips or more where ours has two, but it skips the gateway, the outbox and its ' +
      'relay, and the rows that claim and record each SMS. 1.6 × while half of all batches had one order, 3.6 × before the ' +
      'last steps, which are messages claimed by the statement that stores them (Postgres 0.56 → 0.49 ms) and Twilio’s ' +
      'SDK on undici in place of axios (notifier 0.41 → 0.28 ms). Its rounds differ by a third (300 to 435 a ' +
      'second), ours by a seventh. What is left of an order on Node 24 is 0.33 ms of transactions, 0.24 of the ' +
      'notifier and 0.17 of the gateway, beside 0.5 of Postgres and 0.2 of load and stand-in, which the ' +
      'textbook system needs as well. Tried in vain: a pause of 10 or 20 ms between the rounds of relay and ' +
      'sender (0.98 and 0.92 × of the rate), 100 calls at a time in place of 64.',
  },
  Blnk: {
    what: 'order with its SMS, in holds of Blnk',
    unit: '×',
    target: { least: 1.5 },
    finding:
      'Its hold is one process, a lock in Redis, three reads, two balances and a row, and nothing is sent; ours ' +
      'passes five processes, writes nine rows, and ends with the call of the provider. 1.05 × before batches ' +
      'took what comes in a turn of the event loop, 1.54 × after; CPU of one 1.66 ms, Blnk’s 2.5.',
  },
  Formance: {
    what: 'order with its SMS, in holds of Formance ledger',
    unit: '×',
    target: { least: 1.5 },
    finding:
      'Its hold writes volumes, moves and a log with a hash over the row before, so that writes of a ledger wait for each ' +
      'other; nothing is sent. 1.6 and 1.9 × in two short runs with a load of 8 to 15 on two cores, 1.2 and 1.5 × without ' +
      'the hashes. The CPU time of one was 8.5 and 10.5 ms, without the hashes 7.3 and 8.9; ours 4.2 and 4.9.',
  },
  nginx: {
    what: 'gateway in nginx with one worker, for the slower of GET and order',
    unit: '×',
    target: { least: 0.5 },
    finding:
      'A request costs the gateway some 85 to 119 µs of CPU on a quiet machine, of which undici’s bare forwarding is 35 to ' +
      '40; most of the rest is Node’s HTTP server, its streams and timers. Of ours a log line takes 2 to 4 µs, and each ' +
      'other part (route, credential, limits, histogram, filter of headers) less than 1. Before: 0.31 ×. A breaker of our ' +
      'own in place of opossum and log lines that are written together made it 0.40 to 0.47 × (order) and 0.47 to 0.53 × ' +
      '(GET); 0.34 and 0.40 on a day when the machine was three times slower. Then, as CPU time beside other load ' +
      '(bench:gateway-cpu): 128 to 121, 152 to 138 and 165 to 153 µs by ids of requests that are switched off, log lines ' +
      'collected without a copy, and answers in one piece; nginx 24 to 31. Tried in vain: a young generation of 16 or 32 MB ' +
      'from the start (2 to 3 %, and no option that NODE_OPTIONS takes), a cached text of the time of a log line (0.2 µs). ' +
      'On Node 24, which the image has, 119 to 115 µs.',
  },
  'notifier on Redis': {
    what: 'notifier in a bare BullMQ worker, queues on Redis',
    unit: '×',
    target: { least: 0.5 },
    finding:
      'A message is stored, claimed within three budgets and recorded, each durably, around the same call; the ' +
      'bare worker writes only to Redis, without a sync. Tried: claims without one lock for all (0.09 × → 0.19 ' +
      '×), messages and outcomes in batches (0.34 ×), one statement for the messages of a bundle and a ' +
      'connection for each call (0.37 ×; 1261 → 1496 a second), messages claimed by the statement that stores ' +
      'them and the SDK on undici (0.50 ×).',
  },
  'notifier on Postgres': {
    what: 'notifier in a bare BullMQ worker, queues on Postgres',
    unit: '×',
    target: { least: 1 },
    finding:
      'As on Redis, and a bare worker is bounded by BullMQ’s statements. Tried: claims without one lock for all ' +
      '(0.18 × → 0.31 ×), then messages and outcomes in batches (0.97 ×), and messages claimed by the statement ' +
      'that stores them and the SDK on undici (1.7 ×).',
  },
  'SMS at half load': {
    what: 'SMS, commit to call, p95, at half of the highest rate of orders',
    unit: 'ms',
    target: { most: 80 },
    finding:
      'An order that comes alone costs more than twice as much CPU time as one in a batch, so half of the ' +
      'highest rate nearly fills two cores, which the load shares. 94.6 ms at 188 orders a second in the run ' +
      'before batches took what comes in a turn of the event loop; 154 ms at 417 and 700 ms at 360 on a machine ' +
      'that others used. 49 ms at 400 and 64 ms at 560 on a quiet one, and 56 ms at 484 since a message is ' +
      'claimed by the statement that stores it. Tried in vain: a pause of 10 or 20 ms between the rounds of ' +
      'relay and sender (68 and 97 ms at 560 orders a second, where none gave 64 and 102).',
  },
  growth: {
    what: 'order with its SMS at the large size in one at the small size',
    unit: '×',
    target: { most: 1.05 },
    finding: 'Rounds of one run differ by as much: 1.04, 1.06 and 1.03 × in three runs.',
  },
  'waiting SMS': {
    what: 'order with its SMS while SMS wait behind another wholesaler’s cap, in one while none wait',
    unit: '×',
    target: { most: 1.02 },
    finding:
      'A claim read all pending messages by the index of those that wait, where its plan was made before they ' +
      'came; each is looked up by its id now: 1.33 → 1.04 ×. Since a message is claimed by the statement that ' +
      'stores it, few claims look at those that wait: 0.89, 0.99 and 1.04 × in three runs of a day. Rounds of ' +
      'one run differ by more.',
  },
  flood: {
    what: 'order with its SMS, p99, while another wholesaler floods, in that without the flood',
    unit: '×',
    target: { most: 2.5 },
    finding:
      'The flood is 128 connections without a rate limit on the same two cores, which are in use all the time. ' +
      'A service works on 10 recent requests of a caller beside others, and the rest wait at the gateway. 29 × ' +
      '(0.88 s) before that, 6 to 12 × with 16 requests, where the flood and the measured client shared a ' +
      'process; 3.3 × with the flood in a process of its own. 10 requests gave 2.3 × in a whole run, 3.6 and 3.4 ' +
      '(Node 24, Node 20) in whole runs on a machine half as fast, and 3.5 and 7.7 × in short ones. There the flood had ' +
      '560 orders a second. 6 requests are no better: 3.9 and 3.8 × in turns with 10, which had 3.2 and 3.5 (short runs, ' +
      'slow machine), and the flood had a quarter fewer orders. ' +
      'RATE_LIMIT_PER_SECOND ends a flood.',
  },
  'batch item': {
    what: 'an item of a batch of 500 in an order',
    unit: '×',
    target: { most: 0.25 },
    finding:
      'Postgres writes as many rows and index entries for an item as for an order (0.16 ms of 0.28), and checks ' +
      'as many foreign keys, a fifth to a third of it. An order became twice as cheap, and so raised this ratio ' +
      '(0.21 × before); items are as fast. Tried: terms read and parsed once, nothing decrypted that was just ' +
      'encrypted (4361 → 5337 items/s), and orders that are made field by field: CPU time of one, with other ' +
      'load, 52 → 5 µs.',
  },
  lookup: {
    what: 'lookup of 500 corner stores in a lookup of one',
    unit: '×',
    target: { most: 4 },
    finding:
      '500 stores are 500 rows of two services to read and to write as JSON; a lookup of one is mostly the ' +
      'fixed cost of a request, which became cheaper and so raised this ratio (1,530 → 3,070 look-ups of one a ' +
      'second, 137 → 148 of 500). CPU time of the parts for 500, with other load: the names of the columns 1.7 ' +
      '→ 0.7 ms, the credit of each 1.6 → 0.04, the answer 1.9 → 0.03, because rest and spread of objects were ' +
      'replaced by their fields.',
  },
  memory: {
    what: 'memory of the five services and the supervisor after many orders',
    unit: 'MB',
    target: { most: 800 },
    finding:
      'Six Node processes; a page of Node itself that all share counts six times, 46 MB each. A young generation of ' +
      '2 MB kept them at 605 MB, and cost 27 % of the CPU time of transactions and 10 % of that of an order. Memory is ' +
      'cheaper: they have the young generation of Node (up to 48 MB each), and the target was raised from 500. ' +
      'Kept: a limit of the heap, the gateway without TypeORM ' +
      '(1057 to 637 modules), the supervisor without fetch (-17). Tried in vain: MALLOC_ARENA_MAX, one thread of V8; ' +
      '--optimize-for-size saves 6 MB more in each, for 30 % of CPU time. Services without TypeORM: 562 to 553 MB at ' +
      'start, 601 to 595 after orders. On ' +
      'Node 24 they take 1,118 MB, on Node 20 with the same build 665: Node 24 collects the old generation later, within ' +
      'the same limit of the heap, and a smaller young generation (8 or 16 MB) changes nothing (1,120 and 1,104 MB). Half ' +
      'the young generation where no order runs through: 747 to 774 MB at start, console included, then 720 to 733; ' +
      '660 to 680 since each process loads of class-validator, undici and the numbering plans only what it uses. The rest is code: some 1,000 modules in each service.',
  },
  start: {
    what: '`npm start` to ready, from the second time on',
    unit: 's',
    target: { most: 4 },
    finding:
      'A start builds (tsc -b), starts Postgres, migrates four schemas and waits for five Node processes that load ' +
      'some 1,000 modules each on two cores. CPU time until ready, with other load on the machine: 19.6 s, 13.3 s when a ' +
      'migration loads no service, 12.3 s without fetch and npm run. 4.5 s of wall clock before, on a day when the ' +
      'same machine did three times as much in a second (nginx 22,700 requests, then 7,950). The services load while ' +
      'their schemas are migrated, and TypeORM with the first entity: 6.0 s, then 4.8 s from the supervisor’s start on, ' +
      'although ready includes the console now. The gateway asks its services whenever it is asked, not every half ' +
      'second: up to 0.5 s less. Without the indexes of class-validator and undici, which brought 250 and 80 modules that ' +
      'nobody calls, 4.5 to 5.0 s became 3.9 to 4.1 in turns. Half of what is left is loading: on Node 24 a compile cache ' +
      'would save a quarter of it. Tried in vain: a larger young generation from the start, --max-lazy.',
  },
  endpoint: {
    what: 'order with its SMS and a webhook, in one without webhooks',
    unit: '×',
    target: { most: 1.25 },
    finding:
      'Events and outcomes of attempts are stored together, each kind by a lane: 0.73 of the CPU time that an order with ' +
      'its SMS and a webhook took before (`bench:order-cpu --webhook --other`). The rest is mostly claims: four deliveries ' +
      'of an endpoint at a time are a claim for every two or three.',
  },
  traces: {
    what: 'order with its SMS and a whole trace, in one without traces',
    unit: '×',
    target: { most: 1.35 },
  },
  'hanging endpoints': {
    what: 'SMS p95 beside 300 hanging webhook endpoints, in that without them',
    unit: '×',
    target: { most: 1.2 },
    finding:
      '300 endpoints are tried and time out within the minute that is measured, by the same process that sends SMS. ' +
      'NOTIFIER_ROLES=sms keeps the two apart where that matters.',
  },
  'order CPU': {
    what: 'CPU of an order with its SMS, on all connections',
    unit: 'ms',
    target: { most: 1.2 },
    finding:
      'On a machine that others used, transactions 0.5 to 0.75, Postgres 0.55 to 0.75, the notifier 0.3 to 0.5 and the ' +
      'gateway 0.2 to 0.3 ms; profiles are flat. In turns, 1.08 to 1.11 × of that on 210bad9c, where a build beside itself ' +
      'gave 0.94 to 1.12, and 1.06 since each has a turn before and its tables have statistics. Tried in vain: one thread ' +
      'for the young generation (0.99 ×), 16 MB of it from the start.',
  },
  'lone order': {
    what: 'CPU of an order with its SMS, on one connection',
    unit: 'ms',
    target: { most: 2.8 },
    finding:
      'Nothing is shared with another order: each process is woken for each step, and Postgres commits 3.7 times. So it ' +
      'depends on what waking costs on the machine: 3.9 ms on the one of the target, and 10.3 ms on a virtual machine where ' +
      'the commit of the target takes 9.6 to 10.5 ms (`bench:order-cpu --connections 1 --other`: 1.05 and 1.22 ×). ' +
      'Transactions 2.7, the notifier 2.5, the gateway 0.7 to 0.9, Redis 0.6 and Postgres 3.5 ms.',
  },
  'scale-out': {
    what: 'CPU of an order with 4 instances of transactions and notifier in that with 1',
    unit: '×',
    target: { most: 1.15 },
    finding:
      '2.5 × where a load of 64 connections sent 64 orders at a time, of which one instance made a batch and ' +
      'four made four; 1.06 × (3.9 and 4.2 ms) with orders at equal distances, which no instance takes ' +
      'together. Half of what an idle instance cost was the log, which was written 20 times a second with ' +
      'nothing in it: 11.8 → 6.5 ms of CPU a second (transactions) and 16 → 10.5 (notifier).',
  },
  'queues on Postgres': {
    what: 'CPU of an order with its SMS, queues on Postgres, in that with queues on Redis',
    unit: '×',
    target: { most: 1.1 },
    finding:
      'One job for what a relay round has for a queue took BullMQ’s statements from 6.1 to 0.8 an order. 1.11 × ' +
      '(2.0 and 1.9 ms) where a load of 64 connections sent 64 orders at a time, 1.04 × with orders at equal ' +
      'distances.',
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
  peers: ['Blnk', 'Formance'],
  load: ['SMS at half load', 'hanging endpoints'],
  neighbours: ['waiting SMS', 'endpoint', 'traces', 'flood'],
  scale: ['order CPU', 'lone order', 'scale-out', 'queues on Postgres', 'shared locks'],
};
