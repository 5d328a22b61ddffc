import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { oneOf, type Random } from './random';

/** What happens to a request on its way. */
const FAULTS = ['cut-before', 'cut-after', 'late', '503', '429'] as const;
type Fault = (typeof FAULTS)[number];

/** Longer than the client of the test waits. */
const LATE_MS = 1_500;
/** Share of the requests that fail. */
const FAULT_RATE = 0.3;

export interface FaultProxy {
  url: string;
  /** How often each fault happened. */
  counts: Record<Fault, number>;
  close(): void;
}

/**
 * Stands between a client and the API, and fails as networks and gateways do: before the request
 * arrived, after it took effect, too late, or with a refusal.
 */
export async function startFaultProxy(target: string, random: Random): Promise<FaultProxy> {
  const counts: FaultProxy['counts'] = {
    'cut-before': 0,
    'cut-after': 0,
    late: 0,
    '503': 0,
    '429': 0,
  };
  const server = createServer((request, response) => {
    const fault = random() < FAULT_RATE ? oneOf(random, [...FAULTS]) : undefined;
    if (fault !== undefined) counts[fault] += 1;
    void pass(target, request, response, fault).catch(() => request.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, counts, close: () => server.close() };
}

async function pass(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
): Promise<void> {
  const body = Buffer.concat(await request.toArray());
  if (fault === 'cut-before') return void request.destroy();
  if (fault === '503' || fault === '429') {
    response.writeHead(Number(fault), { 'retry-after': '0' }).end('<html>busy</html>');
    return;
  }
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
  const answer = await fetch(`${target}${request.url}`, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(body.length > 0 && { body }),
  });
  const text = await answer.text();
  if (fault === 'cut-after') return void request.destroy();
  if (fault === 'late') await sleep(LATE_MS);
  const answered = Object.fromEntries(answer.headers);
  delete answered['content-length'];
  delete answered['transfer-encoding'];
  response.writeHead(answer.status, answered).end(text);
}
