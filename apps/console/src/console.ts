import { createServer } from 'node:http';
import { closeServer, portOf, startListening } from '@fiado/shared/chassis/http/server';
import type { Logger } from '@fiado/shared/chassis/logger';
import { createApp } from './app';
import type { ConsoleConfig } from './config';

/** Time for a whole request to arrive: forms are small. */
const REQUEST_TIMEOUT_MS = 15_000;

/** Starts the console. @throws Error when the port is taken */
export async function startConsole(
  config: ConsoleConfig,
  log: Logger,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, createApp(config, log));
  await startListening(server, config.CONSOLE_HOST, config.CONSOLE_PORT);
  log.info({ port: portOf(server) }, 'listening');
  return { port: portOf(server), close: () => closeServer(server, 0) };
}
