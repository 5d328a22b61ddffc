import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Faults of a lender's system that a conformance kit must find. */
export type PlantedFault =
  | 'takes each repetition as a new deposit'
  | 'cuts cents off'
  | 'answers 500 to a date that does not exist'
  | "tells another tenant's reference"
  | 'answers before the deposit is kept'
  | 'takes another body under the same key'
  | 'tells a paid reference from an unknown one'
  | 'refuses without Retry-After';

interface Answer {
  status: number;
  text: string;
}

/** How long the deposit is not kept yet. */
const LATE_MS = 1_000;

/** The API with a fault. */
export async function startFaultyApi(target: string, fault: PlantedFault) {
  const references = new Set<string>();
  const seen = new Set<string>();
  const paid = { status: 404, text: '{"errorCode":"REFERENCE_NOT_FOUND","errorMessage":"Paid"}' };
  const respond = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await req.toArray()).toString();
    const isDeposit = req.url?.includes('/payment/deposit') === true;
    const send = (sent: string): Promise<Answer> => forward(target, req, sent);
    let answer = isDeposit
      ? await faulty(fault, JSON.parse(body), { send, references, seen })
      : await send(body);
    const [, looked] = /\/payment\/reference\/(\d+)$/.exec(req.url ?? '') ?? [];
    if (looked !== undefined && fault === 'tells a paid reference from an unknown one') {
      if (answer.status === 404 && references.has(looked)) answer = paid;
      references.add(looked);
    }
    if (req.method === 'GET' && req.url?.endsWith('/payment') === true) {
      references.add(JSON.parse(answer.text).idFactura);
    }
    res.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
  };
  const server = createServer((req, res) => void respond(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
}

interface Request {
  send: (body: string) => Promise<Answer>;
  /** Of debts that were shown. */
  references: Set<string>;
  /** Keys of deposits that came before. */
  seen: Set<string>;
}

async function faulty(
  fault: PlantedFault,
  deposit: { idFactura: string; valor: number; fechaPago: string; claveDePago: string },
  { send, references, seen }: Request,
): Promise<Answer> {
  const isNew = !seen.has(deposit.claveDePago);
  seen.add(deposit.claveDePago);
  const pass = (changes: object = {}) => send(JSON.stringify({ ...deposit, ...changes }));
  switch (fault) {
    case 'takes each repetition as a new deposit':
      return pass({ claveDePago: randomUUID() });
    case 'cuts cents off':
      return pass({ valor: Math.floor(deposit.valor * 100) / 100 });
    case 'answers 500 to a date that does not exist':
      return deposit.fechaPago.includes('-02-30') ? { status: 500, text: '{}' } : pass();
    case "tells another tenant's reference": {
      const answer = await pass();
      const isTold = answer.status === 200 && references.has(deposit.idFactura);
      return isTold ? { status: 200, text: '{"success":true,"matched":true}' } : answer;
    }
    case 'answers before the deposit is kept':
      if (!isNew) return pass();
      void sleep(LATE_MS).then(() => pass());
      return { status: 200, text: '{"success":true}' };
    case 'takes another body under the same key': {
      const answer = await pass();
      return answer.status === 409 ? { status: 200, text: '{"success":true}' } : answer;
    }
    case 'tells a paid reference from an unknown one':
      return pass();
    case 'refuses without Retry-After':
      return isNew ? { status: 429, text: '{}' } : pass();
  }
}

async function forward(target: string, req: IncomingMessage, body: string): Promise<Answer> {
  const { authorization, 'content-type': type, 'idempotency-key': key } = req.headers;
  const headers = Object.entries({ authorization, 'content-type': type, 'idempotency-key': key });
  const response = await fetch(`${target}${req.url}`, {
    method: req.method ?? 'GET',
    headers: headers.filter((header): header is [string, string] => typeof header[1] === 'string'),
    ...(body !== '' && { body }),
  });
  return { status: response.status, text: await response.text() };
}
