import { once } from 'node:events';
import { logConsole, type Logger } from './logger';

/** A stop that takes longer is cut: leases and locks make that safe. */
const STOP_DEADLINE_MS = 20_000;

/**
 * A process that does not serve by then ends, so that it is started again. A start waits 30 s for its
 * database and 30 s for the queues', and took 20 s on a slow machine.
 */
export const START_DEADLINE_MS = 90_000;

/** Message to the supervisor that forked this process, once it serves. */
export const SERVING = 'serving';

/** Argument of a process that is forked while its schema is being migrated: it loads, and opens nothing until RELEASE. */
export const HELD = '--held';

/** Message of the supervisor to a held process. */
export const RELEASE = 'release';

/** Settled at once in a process that is not held. */
const released =
  process.argv.includes(HELD) && process.connected === true
    ? once(process, 'message')
    : Promise.resolve();

export interface ProcessParts<Loaded> {
  log: Logger;
  /** Loads what the process runs. It opens nothing: a held process does it before it is released. */
  load?: () => Promise<Loaded>;
  start: (loaded: Loaded) => Promise<{ close(): Promise<void> }>;
  startDeadlineMs?: number;
}

/** Runs work that ends by itself, such as a migration, and exits. */
export async function runToEnd(log: Logger, work: () => Promise<void>): Promise<void> {
  endOnUncaught(log);
  await work();
  process.exit(0);
}

/**
 * Runs a process of Fiado: serves until it is stopped by SIGTERM, SIGINT (without a supervisor) or
 * the end of the supervisor's channel. A second signal, and a start or a stop past its deadline, end it
 * at once. So does a signal during the start: the process has taken no request and no job. A held process
 * loads, and starts once it is released; the deadline of its start begins then.
 */
export async function runProcess<Loaded = undefined>({
  log,
  load,
  start,
  startDeadlineMs = START_DEADLINE_MS,
}: ProcessParts<Loaded>): Promise<void> {
  endOnUncaught(log);
  logConsole(log);
  let running: { close(): Promise<void> } | undefined;
  let stopping = false;
  const stop = (reason: string): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => fail(log, new Error('Stopping took too long')), STOP_DEADLINE_MS);
    void Promise.resolve(running?.close()).then(() => {
      log.info('stopped');
      process.exit(0);
    });
  };

  process.on('SIGTERM', () => stop('SIGTERM'));
  // Ctrl-C reaches the whole group: the supervisor, if there is one, decides when each process stops.
  process.on('SIGINT', () => {
    if (process.connected !== true) stop('SIGINT');
  });
  if (process.connected === true) process.on('disconnect', () => stop('the supervisor ended'));
  const loaded = (await load?.()) as Loaded;
  await released;
  const late = setTimeout(() => fail(log, new Error('Starting took too long')), startDeadlineMs);
  running = await start(loaded);
  clearTimeout(late);
  if (process.connected === true) process.send?.(SERVING);
}

function endOnUncaught(log: Logger): void {
  process.on('uncaughtException', (error) => fail(log, error));
  process.on('unhandledRejection', (error) => fail(log, error));
}

function fail(log: Logger, error: unknown): never {
  log.fatal({ err: error }, 'process ends');
  process.exit(1);
}
