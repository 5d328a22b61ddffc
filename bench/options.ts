import { parseArgs } from 'node:util';

/** The phases in their order, and what they measure. */
const PHASES = {
  forwarding: 'the gateway and nginx before an upstream that answers at once',
  start: 'npm start to ready, and the memory after many orders',
  sizes: 'each endpoint at two sizes of the database, beside pgbench and the textbook system',
  sms: 'how soon an SMS is sent, and how many a notifier sends in a second',
  peers: 'an order with its SMS beside Blnk and Formance ledger, with 64 connections',
  load: 'how soon an SMS is sent under load, and beside 300 hanging webhook endpoints',
  neighbours: 'an order while SMS of another wholesaler wait, in its flood, with a webhook, traced',
  scale:
    'CPU on all connections and on one, with 1, 2 and 4 instances, and with either home of the queues; waits for locks',
};
export type PhaseName = keyof typeof PHASES;
const PHASE_NAMES = Object.keys(PHASES) as PhaseName[];

function phaseHelp(): string {
  const line = ([name, text]: [string, string]) => `${' '.repeat(21)}${name.padEnd(11)} ${text}`;
  return Object.entries(PHASES).map(line).join('\n');
}

/** How much the phases do beside their rounds. */
interface Counts {
  /** Batches of a round: their words are sent before the next one begins. */
  batches: number;
  /** Orders whose SMS are followed, one after another. */
  followed: number;
  /** Messages that a worker finds waiting. */
  backlog: number;
  /** Seconds of a load at a steady rate. */
  steadySeconds: number;
  /** SMS that wait behind a cap. */
  waiting: number;
  /** Orders before memory is read. */
  ordersBeforeMemory: number;
}

const FULL: Counts = {
  batches: 6,
  followed: 150,
  backlog: 2_000,
  steadySeconds: 15,
  waiting: 100_000,
  ordersBeforeMemory: 100_000,
};

const QUICK: Counts = {
  batches: 4,
  followed: 25,
  backlog: 800,
  steadySeconds: 4,
  waiting: 20_000,
  ordersBeforeMemory: 5_000,
};

export const HELP = `npm run bench -- [options]

Measures Fiado on this machine, beside pgbench, nginx and a textbook system where what they need is
installed, in rounds that take turns, and prints a table of targets and verdicts. Everything listens
on 127.0.0.1, except Blnk on every address, and nothing stays behind.

  --quick            in six minutes: smaller counts, shorter rounds, nothing is kept; ratios are
                     accurate to some 20 %
  --small <n>        transactions of the small database (10000)
  --large <n>        transactions of the large one (1000000; 50000 with --quick); 0 leaves it out
  --stores <n>       corner stores (2000; 1000 with --quick)
  --connections <n>  connections of every load, and of pgbench (64)
  --rounds <n>       rounds of each subject (4; 2 with --quick)
  --seconds <n>      seconds of a round (3; 1 with --quick)
  --only <phases>    some of:
${phaseHelp()}
  --subjects <names> of phase sizes only some of: pgbench,order,batch,textbook,order and SMS,
                     least SQL,order by id,store,stores
  --blnk <program>, --formance <program>
                     paths of Blnk 0.15.2 and of Formance ledger 2.2, for the phase peers; without
                     them their rows are left out
  --out <folder>     where the results go (bench/results; with --quick nowhere)
  --profile          CPU profiles of gateway, transactions and accounts, into the results' folder
  --help
`;

/** In the order of their turns: those that are compared stand side by side. */
const SUBJECTS =
  'pgbench,order,batch,textbook,order and SMS,least SQL,order by id,store,stores'.split(',');

/** The phases of a run, and their duration. */
export interface Options {
  quick: boolean;
  small: number;
  large: number;
  stores: number;
  connections: number;
  rounds: number;
  seconds: number;
  /** Discarded rounds before them. */
  warmUps: number;
  counts: Counts;
  phases: PhaseName[];
  /** The subjects of the phase `sizes`. */
  subjects: string[];
  /** Undefined: nothing is kept. */
  out: string | undefined;
  profile: boolean;
  /** Programs that others wrote, by their paths; undefined where they are not given. */
  blnk: string | undefined;
  formance: string | undefined;
}

/** @returns undefined when the help is wanted. @throws Error on arguments that make no sense */
export function readOptions(args: string[], defaultOut: string): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      small: { type: 'string', default: '10000' },
      large: { type: 'string' },
      stores: { type: 'string' },
      connections: { type: 'string', default: '64' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      only: { type: 'string', default: PHASE_NAMES.join(',') },
      subjects: { type: 'string', default: SUBJECTS.join(',') },
      out: { type: 'string' },
      profile: { type: 'boolean', default: false },
      blnk: { type: 'string' },
      formance: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { quick } = values;
  return {
    quick,
    small: wholeNumber('small', values.small, 1),
    large: wholeNumber('large', values.large ?? (quick ? '50000' : '1000000'), 0),
    stores: wholeNumber('stores', values.stores ?? (quick ? '1000' : '2000'), 1),
    connections: wholeNumber('connections', values.connections, 1),
    rounds: wholeNumber('rounds', values.rounds ?? (quick ? '2' : '4'), 1),
    seconds: wholeNumber('seconds', values.seconds ?? (quick ? '1' : '3'), 1),
    warmUps: quick ? 2 : 3,
    counts: quick ? QUICK : FULL,
    phases: namesOf('only', values.only, PHASE_NAMES),
    subjects: namesOf('subjects', values.subjects, SUBJECTS),
    out: values.out ?? (quick ? undefined : defaultOut),
    profile: values.profile,
    blnk: values.blnk,
    formance: values.formance,
  };
}

function namesOf<Name extends string>(option: string, text: string, known: Name[]): Name[] {
  const unknown = text.split(',').find((one) => !known.includes(one as Name));
  if (unknown !== undefined) throw new Error(`--${option} knows no ${unknown}`);
  return text.split(',') as Name[];
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least) {
    throw new Error(`--${name} must be a whole number, ${least} or more`);
  }
  return value;
}
