import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const PORT = 53;
/** Names below it are this machine. */
const ZONE = '.fiado.test';
const HEADER_BYTES = 12;
const TYPE_A = 1;
/** The name of the question (by its place, after the header), type A, class IN, for 1 s, 127.0.0.1. */
const RECORD = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1]);

/** A DNS server for names of this machine, which can stop answering. */
export class NameServer {
  isSilent = false;
  queries = 0;

  private constructor(
    readonly address: string,
    private readonly socket: Socket,
  ) {}

  /** @param address of the loopback, for its port is fixed */
  static async start(address: string): Promise<NameServer> {
    const socket = createSocket('udp4');
    const server = new NameServer(address, socket);
    socket.on('message', (query, from) => {
      server.queries += 1;
      if (!server.isSilent) socket.send(answerTo(query), from.port, from.address);
    });
    socket.bind(PORT, address);
    await once(socket, 'listening');
    return server;
  }

  stop(): Promise<void> {
    return new Promise((done) => this.socket.close(() => done()));
  }
}

/** An address for a name of the zone, no record of another type for it, and no other name (RFC 1035). */
function answerTo(query: Buffer): Buffer {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const question = query.subarray(HEADER_BYTES, at + 5);
  const isOurs = `.${labels.join('.')}`.endsWith(ZONE);
  const hasAddress = isOurs && query.readUInt16BE(at + 1) === TYPE_A;
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(isOurs ? 0x8580 : 0x8583, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(hasAddress ? 1 : 0, 6);
  return Buffer.concat(hasAddress ? [header, question, RECORD] : [header, question]);
}
