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
  port: number;
  gateway: Gateway;
  send(
    method: string,
    path: string,
    sent?: { session?: string; headers?: object; form?: object },
  ): Promise<Sent>;
  csrfOf(session: string): Promise<string>;
  /** Sends a form of our own page in the session that lasts. */
  post(path: string, form: object): Promise<Sent>;
  /** The calls for ops that change something. */
  changes(): Gateway['calls'];
  stop(): Promise<void>;
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

/** A console whose gateway is a stand-in. */
export async function startConsoleOnStandIn(
  settings: Record<string, string> = {},
): Promise<ConsoleOnStandIn> {
  const gateway = await startStandInGateway();
  const running = await startTestConsole(gateway.url, settings);
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
  const csrfOf = async (session: string): Promise<string> => {
    const { text } = await send('GET', '/validacion', { session });
    return /name="csrf" value="([\w-]+)"/.exec(text)?.[1] ?? '';
  };
  return {
    port: running.port,
    gateway,
    send,
    csrfOf,
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
    stop: async () => {
      await running.close();
      await gateway.stop();
    },
  };
}
