import { createLogger } from '@fiado/chassis/logger';
import { loadConfig } from '@fiado/chassis/config';
import { ConsoleConfig } from '../../src/config';
import { startConsole } from '../../src/console';
import { SESSION, startStandInGateway } from './stand-in-gateway';

export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

interface Sent {
  status: number;
  text: string;
  headers: Headers;
}

type Gateway = Awaited<ReturnType<typeof startStandInGateway>>;

export interface ConsoleOnStandIn {
  readonly port: number;
  readonly gateway: Gateway;
  send: (
    method: string,
    path: string,
    sent?: { session?: string; headers?: object; form?: object },
  ) => Promise<Sent>;
  csrfOf: (session: string) => Promise<string>;
  /** A page, in the session that lasts. */
  page: (path: string) => Promise<Sent>;
  /** Sends a form of our own page in that session. */
  post: (path: string, form: object) => Promise<Sent>;
  /** The calls for ops that change something. */
  changes: () => Gateway['calls'];
}

/** A console of the sandbox on a free port. */
export function startTestConsole(
  gatewayUrl: string,
  settings: Record<string, string> = {},
): ReturnType<typeof startConsole> {
  const config = loadConfig(ConsoleConfig, {
    FIADO_MODE: 'sandbox',
    CONSOLE_PORT: '0',
    CONSOLE_RATE_LIMIT_PER_SECOND: '0',
    GATEWAY_URL: gatewayUrl,
    LOG_LEVEL: 'silent',
    ...settings,
  });
  return startConsole(config, createLogger('console', 'silent'));
}

/** A console whose gateway is a stand-in, for the tests of a file; its calls are forgotten before each of them. */
export function consoleOnStandIn(settings: Record<string, string> = {}): ConsoleOnStandIn {
  let gateway: Gateway;
  let running: Awaited<ReturnType<typeof startConsole>>;
  beforeAll(async () => {
    gateway = await startStandInGateway();
    running = await startTestConsole(gateway.url, settings);
  });
  afterAll(async () => {
    await running.close();
    await gateway.stop();
  });
  beforeEach(() => {
    gateway.calls.length = 0;
    gateway.remaining.length = 0;
  });
  const send: ConsoleOnStandIn['send'] = async (
    method,
    path,
    { session, headers = {}, form } = {},
  ) => {
    const response = await fetch(`http://localhost:${running.port}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(session === undefined ? {} : { cookie: `__Host-fiado=${session}` }),
        ...headers,
      },
      ...(form === undefined ? {} : { body: new URLSearchParams({ ...form }) }),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const page: ConsoleOnStandIn['page'] = (path) => send('GET', path, { session: SESSION });
  const csrfOf = async (session: string): Promise<string> => {
    const { text } = await send('GET', '/validacion', { session });
    return /name="csrf" value="([\w-]+)"/.exec(text)?.[1] ?? '';
  };
  return {
    get port() {
      return running.port;
    },
    get gateway() {
      return gateway;
    },
    send,
    csrfOf,
    page,
    post: async (path, form) =>
      send('POST', path, {
        session: SESSION,
        headers: SAME_ORIGIN,
        form: { csrf: await csrfOf(SESSION), ...form },
      }),
    // A search is a POST, and changes nothing.
    changes: () =>
      gateway.calls.filter(
        ({ method, path }) =>
          method !== 'GET' && path.startsWith('/v1/admin/') && !path.endsWith('/search'),
      ),
  };
}
