import { parseArgs } from 'node:util';

export const HELP = `npm run bench -- [options]

Measures Fiado on this machine, beside pgbench and nginx where they are installed, in rounds that
take turns. Everything listens on 127.0.0.1, and nothing stays behind.

  --quick            about a minute: 10 thousand transactions only, short rounds, nothing is kept
  --small <n>        transactions of the small database (10000)
  --large <n>        transactions of the large one (1000000); 0 leaves it out
  --stores <n>       corner stores (2000)
  --connections <n>  connections of every load, and of pgbench (24)
  --rounds <n>       rounds of each subject (5)
  --seconds <n>      seconds of a round (4)
  --only <phases>    some of: sizes,forwarding,sms
  --subjects <names> of phase sizes only some of: pgbench,order,batch,least SQL,
                     order and SMS,order by id,store,stores
  --out <folder>     where the results go (bench/results)
  --profile          CPU profiles of gateway, transactions and accounts, into the results' folder
  --help
`;

const PHASES = ['sizes', 'forwarding', 'sms'];
/** In the order of their turns: those that are compared stand side by side. */
const SUBJECTS = 'pgbench,order,batch,least SQL,order and SMS,order by id,store,stores'.split(',');

/** The phases of a run, and their duration. */
export interface Options {
  small: number;
  large: number;
  stores: number;
  connections: number;
  rounds: number;
  seconds: number;
  phases: string[];
  /** The subjects of the phase `sizes`. */
  subjects: string[];
  /** Undefined: nothing is kept. */
  out: string | undefined;
  profile: boolean;
}

/** @returns undefined when the help is wanted. @throws Error on arguments that make no sense */
export function readOptions(args: string[], defaultOut: string): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      small: { type: 'string', default: '10000' },
      large: { type: 'string' },
      stores: { type: 'string', default: '2000' },
      connections: { type: 'string', default: '24' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      only: { type: 'string', default: PHASES.join(',') },
      subjects: { type: 'string', default: SUBJECTS.join(',') },
      out: { type: 'string' },
      profile: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { quick } = values;
  return {
    small: wholeNumber('small', values.small, 1),
    large: wholeNumber('large', values.large ?? (quick ? '0' : '1000000'), 0),
    stores: wholeNumber('stores', values.stores, 1),
    connections: wholeNumber('connections', values.connections, 1),
    rounds: wholeNumber('rounds', values.rounds ?? (quick ? '2' : '5'), 1),
    seconds: wholeNumber('seconds', values.seconds ?? (quick ? '1' : '4'), 1),
    phases: namesOf('only', values.only, PHASES),
    subjects: namesOf('subjects', values.subjects, SUBJECTS),
    out: values.out ?? (quick ? undefined : defaultOut),
    profile: values.profile,
  };
}

function namesOf(name: string, text: string, known: string[]): string[] {
  const names = text.split(',');
  const unknown = names.find((one) => !known.includes(one));
  if (unknown !== undefined) throw new Error(`--${name} knows no ${unknown}`);
  return names;
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least) {
    throw new Error(`--${name} must be a whole number, ${least} or more`);
  }
  return value;
}
