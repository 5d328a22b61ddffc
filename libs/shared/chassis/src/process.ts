import { logConsole, type Logger } from './logger';

/** A stop that takes longer is cut: leases and locks make that safe. */
const STOP_DEADLINE_MS = 20_000;

export interface ProcessParts {
  log: Logger;
  start: () => Promise<{ close(): Promise<void> }>;
}

/** Runs work that ends by itself, such as a migration, and exits. */
export async function runToEnd(log: Logger, work: () => Promise<void>): Promise<void> {
  endOnUncaught(log);
  await work();
  process.exit(0);
}

/**
 * Runs a process of Fiado: serves until it is stopped by SIGTERM, SIGINT (without a supervisor) or
 * the end of the supervisor's channel. A second signal, or a stop past its deadline, ends it at
 * once.
 */
export async function runProcess({ log, start }: ProcessParts): Promise<void> {
  endOnUncaught(log);
  logConsole(log);
  const starting = start();
  let stopping = false;
  const stop = (reason: string): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => fail(log, new Error('Stopping took too long')), STOP_DEADLINE_MS).unref();
    void starting
      .then((running) => running.close())
      .then(() => {
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
  await starting;
}

function endOnUncaught(log: Logger): void {
  process.on('uncaughtException', (error) => fail(log, error));
  process.on('unhandledRejection', (error) => fail(log, error));
}

function fail(log: Logger, error: unknown): never {
  log.fatal({ err: error }, 'process ends');
  process.exit(1);
}
