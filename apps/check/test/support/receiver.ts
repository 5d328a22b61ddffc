import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unwrapWebhook } from '@fiado/client';

export const SECRET = `whsec_${Buffer.from('a secret of this receiver').toString('base64')}`;

/** Mistakes of receivers. */
export type Mistake =
  | 'skips timestamps'
  | 'skips signatures'
  | 'signs the parsed body'
  | 'takes the first signature only'
  | 'counts repetitions'
  | 'lets older versions win'
  | 'refuses unknown types';

interface Receiver {
  url: string;
  stateUrl: string;
  close: () => void;
}

const TOLERANT = { toleranceSeconds: Number.POSITIVE_INFINITY };

/** A receiver that keeps the newest version of each order, and makes at most one mistake. */
export async function startReceiver(mistake?: Mistake): Promise<Receiver> {
  const seen = new Set<string>();
  const orders = new Map<string, { version: number; status: string }>();
  let effects = 0;
  const respond = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.url === '/state') return void res.end(JSON.stringify([effects, [...orders]]));
    let body = Buffer.concat(await req.toArray()).toString();
    const headers = { ...req.headers };
    if (mistake === 'signs the parsed body') body = JSON.stringify(JSON.parse(body));
    if (mistake === 'takes the first signature only') {
      headers['webhook-signature'] = String(headers['webhook-signature']).split(' ')[0];
    }
    try {
      if (mistake !== 'skips signatures') {
        unwrapWebhook(body, headers, SECRET, mistake === 'skips timestamps' ? TOLERANT : {});
      }
    } catch {
      return void res.writeHead(400).end();
    }
    const { id, type, data } = JSON.parse(body);
    if (mistake === 'refuses unknown types' && !type.startsWith('transaction.')) {
      return void res.writeHead(422).end();
    }
    const isRepeated = seen.has(id);
    seen.add(id);
    const known = orders.get(data.transactionId)?.version ?? 0;
    const isNews = isRepeated ? mistake === 'counts repetitions' : data.version > known;
    if (isNews || (!isRepeated && mistake === 'lets older versions win')) {
      effects += 1;
      orders.set(data.transactionId, { version: data.version, status: data.transactionStatus });
    }
    res.writeHead(204).end();
  };
  const server = createServer((req, res) => void respond(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, stateUrl: `${url}state`, close: () => server.close() };
}
