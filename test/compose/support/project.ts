import { execFile, execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { DockerComposeEnvironment, type StartedDockerComposeEnvironment } from 'testcontainers';
import { openApi, type Api } from '../../e2e/support/api';
import { CONTAINER_PORTS, freePorts } from '@fiado/chassis/testing/free-ports';

const ROOT = resolve(__dirname, '../../..');
/** The first `up` builds the image: an install and a compilation. */
const COMMAND_TIMEOUT_MS = 600_000;
/** How long Compose v1 waits for one answer of the engine, which removes and makes ten containers at once. */
const ENGINE_TIMEOUT_S = 300;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** From the start of a container to its being healthy, on a busy machine. */
const READY_DEADLINE_MS = 120_000;
/** Where a sandbox keeps what it made, inside its containers. */
const SECRETS = '/data/secrets.json';

/**
 * A project of Compose with a name, ports and volumes of its own.
 *
 * Testcontainers starts, scales and removes it. The other commands go to Compose itself, because
 * DockerComposeEnvironment builds an image once for each service that names it, has no `run` of a step,
 * knows no ./production and no script of ops, and only containers that run at the end of `up`, under names
 * that differ between versions of Compose. What a failed start leaves it removes, with the logs that these
 * tests read.
 */
export interface ComposeProject {
  /** Starts all services, or these, with options of `up`. @returns when every container is healthy */
  up(options?: string[], ...services: string[]): Promise<void>;
  /** Removes what `up` started. Volumes stay when they are kept. */
  down(options?: { timeout?: number; removeVolumes?: boolean }): Promise<void>;
  /** Runs a command of Compose in the project. @returns what it printed on stdout */
  run(...args: string[]): Promise<string>;
  /** Like run, for a command that is expected to fail. */
  fail(...args: string[]): Promise<string>;
  /** Runs a script of this repository, which uses the project's Compose. @returns its stdout */
  script(file: string, ...args: string[]): Promise<string>;
  /** Where the gateway is published. */
  baseUrl: string;
  /** Where the console is. */
  consoleUrl: string;
  /** The API of the running sandbox. */
  api(): Promise<Api>;
  /** Containers of the service. */
  idsOf(service: string): Promise<string[]>;
  /** Requests that each instance of a service has answered under that route. */
  requestsByInstance(service: string, route: string, port: number): Promise<number[]>;
}

export async function openProject(
  name: string,
  env: Record<string, string> = {},
): Promise<ComposeProject> {
  const [port, consolePort] = (await freePorts(2, CONTAINER_PORTS)).map(String);
  const settings = {
    // The classic builder is everywhere that an engine is.
    DOCKER_BUILDKIT: process.env.DOCKER_BUILDKIT ?? '0',
    COMPOSE_PROJECT_NAME: name,
    FIADO_IMAGE: 'fiado:test',
    COMPOSE_HTTP_TIMEOUT: String(ENGINE_TIMEOUT_S),
    PORT: port ?? '',
    CONSOLE_PORT: consolePort ?? '',
    // A variable of the shell goes before one of a file.
    ...(env.PRODUCTION_ENV === undefined && { RATE_LIMIT_PER_SECOND: '0' }),
    ...env,
  };
  const { PATH, HOME } = process.env;
  const [command, ...first] = env.PRODUCTION_ENV ? ['./production'] : composeCommand();
  const runFile = (program: string, args: string[]) =>
    promisify(execFile)(program, args, {
      cwd: ROOT,
      env: { PATH, HOME, ...settings, COMPOSE: [command, ...first].join(' ') },
      timeout: COMMAND_TIMEOUT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
  const execute = (args: string[]) => runFile(command, [...first, ...args]);
  const run = async (...args: string[]) => (await execute(args)).stdout;
  const idsOf = async (service: string) => (await run('ps', '-q', service)).trim().split('\n');

  const sandboxWith = (options: string[]) =>
    new DockerComposeEnvironment(ROOT, 'docker-compose.yml')
      .withProjectName(name)
      .withEnvironment(settings)
      .withStartupTimeout(READY_DEADLINE_MS)
      // `down` of these tests removes everything, so they need no reaper and its image.
      .withAutoCleanup(false)
      .withClientOptions({
        commandOptions: options,
        ...(command === 'docker-compose' && { executable: { standalone: true } }),
      });
  let started: StartedDockerComposeEnvironment | undefined;

  return {
    up: async (options = [], ...services) => {
      started = await sandboxWith(options).up(services.length === 0 ? undefined : services);
    },
    down: async (options) => {
      await started?.down(options);
    },
    run,
    script: async (file, ...args) => (await runFile(resolve(ROOT, file), args)).stdout,
    fail: async (...args) => {
      const failure = await execute(args).then(
        ({ stdout }) => Promise.reject(new Error(`It did not fail: ${stdout}`)),
        (error: { stdout?: string; stderr?: string }) => error,
      );
      return `${failure.stdout}${failure.stderr}`;
    },
    idsOf,
    baseUrl: `http://127.0.0.1:${port}`,
    consoleUrl: `http://localhost:${consolePort}`,
    api: async () => {
      const secrets = await run('run', '--rm', '--no-deps', '--entrypoint', 'cat', 'demo', SECRETS);
      const { OPS_API_KEY } = JSON.parse(secrets) as { OPS_API_KEY: string };
      return openApi(`http://127.0.0.1:${port}`, OPS_API_KEY);
    },
    requestsByInstance: async (service, route, servicePort) => {
      const url = `http://127.0.0.1:${servicePort}/metrics`;
      const print = `fetch('${url}').then(async (r) => console.log(await r.text()))`;
      const texts = (await idsOf(service)).map((id) =>
        promisify(execFile)('docker', ['exec', id, 'node', '-e', print]),
      );
      return (await Promise.all(texts)).map(({ stdout }) => countOf(stdout, route));
    },
  };
}

function countOf(metrics: string, route: string): number {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith('fiado_http_request_duration_seconds_count'))
    .filter((line) => line.includes(`route="${route}"`))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** Compose v2, or v1 where that is missing. */
function composeCommand(): [string, ...string[]] {
  for (const command of [['docker', 'compose'], ['docker-compose']] as [string, ...string[]][]) {
    const [program, ...args] = command;
    try {
      execFileSync(program, [...args, 'version'], { stdio: 'ignore', timeout: 10_000 });
      return command;
    } catch {
      // The other one, perhaps.
    }
  }
  throw new Error('There is neither docker-compose nor docker compose: these tests need one');
}
