import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import express from 'express';
import { answerAndClose } from '@fiado/chassis/http/answer-and-close';
import { boundRequests, MAX_IGNORED_BODY_LENGTH } from '@fiado/chassis/http/bound-requests';
import { createHealth } from '@fiado/chassis/http/health';
import { closeServer, listen, portOf, startListening } from '@fiado/chassis/http/server';
import type { Logger } from '@fiado/chassis/logger';
import { recordBuild } from '@fiado/chassis/metrics';
import type { AppError } from '@fiado/contracts/errors';
import { bodyLimitOf, createApp } from './app';
import type { ConsoleConfig } from './config';

/** Time for a whole request to arrive: forms are small. */
const REQUEST_TIMEOUT_MS = 15_000;
/** Time for its headers. */
const HEADERS_TIMEOUT_MS = 10_000;
/** How exactly Node keeps both. */
const CONNECTIONS_CHECKING_INTERVAL_MS = 2_000;

/** Starts the console. @throws Error when the port is taken */
export async function startConsole(
  config: ConsoleConfig,
  log: Logger,
): Promise<{ port: number; metricsPort: number | undefined; close(): Promise<void> }> {
  // It needs only the gateway, without which its pages say that Fiado does not answer.
  const health = createHealth({ readiness: {} });
  const server = createServer({
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: CONNECTIONS_CHECKING_INTERVAL_MS,
  });
  boundRequests(server, {
    maxBodyLength: ({ method, url }) =>
      method === 'POST' ? bodyLimitOf(url) : MAX_IGNORED_BODY_LENGTH,
    refuse,
    handle: createApp(config, log, health),
  });
  await startListening(server, config.CONSOLE_HOST, config.CONSOLE_PORT);
  recordBuild('console');
  const { CONSOLE_METRICS_PORT: port, INTERNAL_HOST: host } = config;
  const metricsServer =
    port === undefined ? undefined : await listen(express().use(health.metrics), { host, port });
  log.info({ port: portOf(server) }, 'listening');
  return {
    port: portOf(server),
    metricsPort: metricsServer === undefined ? undefined : portOf(metricsServer),
    close: async () => {
      health.stopping();
      await closeServer(server, 0);
      if (metricsServer !== undefined) await closeServer(metricsServer, 0);
    },
  };
}

/** No browser that shows a page of the console sends such a request. */
function refuse(_req: IncomingMessage, res: ServerResponse, error: AppError): void {
  const body = `${error.message}\n`;
  const headers = [
    'Content-Type',
    'text/plain; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(body)),
    'X-Content-Type-Options',
    'nosniff',
  ];
  answerAndClose(res, error.status, { headers, body });
}
