import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';

const HEALTHCHECK = resolve(__dirname, '../../../../docker/healthcheck.sh');

/** The exit code of the containers' health check against a process that answers so. */
async function exitCode(answer: RequestListener): Promise<number | null> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const code = await check(port);
  server.closeAllConnections();
  server.close();
  return code;
}

async function check(port: number): Promise<number | null> {
  const env = { PATH: process.env.PATH, TRANSACTIONS_PORT: String(port) };
  const [code] = (await once(spawn(HEALTHCHECK, { env, stdio: 'ignore' }), 'exit')) as [number];
  return code;
}

it('a process is healthy if and only if it is ready', async () => {
  const path = jest.fn();
  const ready: RequestListener = (request, response) => {
    path(request.url);
    response.end('{}');
  };
  expect(await exitCode(ready)).toBe(0);
  expect(path).toHaveBeenCalledWith('/health/ready');
  expect(await exitCode((_request, response) => response.writeHead(503).end())).toBe(1);
});

it('a process that hangs up, or is not there, is not healthy', async () => {
  expect(await exitCode((request) => request.socket.destroy())).toBe(1);
  expect(await check(1)).toBe(1);
});
