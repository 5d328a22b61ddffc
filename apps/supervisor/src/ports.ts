import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { SupervisorConfig } from './config';
import { messageOf, type Say, StartupError } from './say';
import { SERVICES, type ServiceDefinition } from './services';

const POLL_MS = 200;

/**
 * Ends the start if a port is in use, and names the variable that changes it.
 * @param patienceMs how long orphans of a killed start may still take to close theirs
 */
export async function requireFreePorts(
  config: SupervisorConfig,
  patienceMs: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const problems = await findProblems(config);
    if (problems.length === 0) return;
    if (Date.now() >= deadline) throw new StartupError(problems.join('\n'));
    await pause(POLL_MS, undefined, { signal });
  }
}

async function findProblems(config: SupervisorConfig): Promise<string[]> {
  const problems = await Promise.all(
    SERVICES.map(async ({ hostVariable, portVariable }) => {
      const problem = await portProblem(config, hostVariable, portVariable);
      return problem === undefined ? [] : [problem];
    }),
  );
  return [...new Set(problems.flat())];
}

/** Why nobody can listen there, and the variable that changes it; undefined when it works. */
export async function portProblem(
  config: SupervisorConfig,
  hostVariable: ServiceDefinition['hostVariable'] | 'CONSOLE_HOST',
  portVariable: ServiceDefinition['portVariable'] | 'CONSOLE_PORT',
): Promise<string | undefined> {
  const port = config[portVariable];
  const code = await listenError(config[hostVariable], port);
  if (code === undefined) return undefined;
  if (code === 'EADDRINUSE') {
    return `port ${port} is taken by another program: set ${portVariable} to a free one`;
  }
  return code === 'EACCES'
    ? `port ${port} is not for this user: set ${portVariable} to one above 1023`
    : `${hostVariable} is no address of this machine (${code})`;
}

/** Ports after the console's own that are tried. */
const MORE_PORTS = 20;

/**
 * The console's port, or the next free one in a sandbox where another program has it. It is chosen before the
 * services start, because accounts binds passkeys to the console's address. Who sets CONSOLE_URL means
 * that address, so nothing is chosen for them.
 */
export async function freeConsolePort(config: SupervisorConfig, say: Say): Promise<number> {
  const { CONSOLE_PORT: asked, CONSOLE_HOST: host } = config;
  if (config.FIADO_MODE === 'production' || config.CONSOLE_URL !== undefined) return asked;
  if ((await listenError(host, asked)) !== 'EADDRINUSE') return asked;
  const used = SERVICES.map(({ portVariable }) => config[portVariable]);
  for (let port = asked + 1; port <= Math.min(asked + MORE_PORTS, 65_535); port += 1) {
    if (used.includes(port) || (await listenError(host, port)) !== undefined) continue;
    say(`Port ${asked} is taken by another program: the console uses ${port}`);
    return port;
  }
  return asked;
}

/** The code of the error that listening meets; undefined when it works. */
function listenError(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}

/**
 * Ends the start when REDIS_URL cannot be used, before five services repeat it line by line.
 * @throws StartupError of one line, without the password
 */
export async function requireRedis(url: string | undefined): Promise<void> {
  if (url === undefined) return;
  // Usually there is no Redis, and the supervisor has no other use for its client.
  const { pingRedis } = await import('@fiado/chassis/jobs/open-redis');
  await pingRedis(url).catch((error: unknown) => {
    throw new StartupError(`REDIS_URL: no connection: ${messageOf(error)}`);
  });
}
