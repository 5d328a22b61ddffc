import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 5;
/** Ends what hangs. */
const DEADLINE_MS = 60_000;

/** A raw TCP connection, for requests that no HTTP client would send. */
export interface RawConnection {
  write(text: string | Buffer): void;
  /** All that came so far, once it holds the text. */
  received(text: string): Promise<string>;
  /** Bytes that were written and that this machine's system has not taken yet. */
  unsent(): number;
  /** All that came until the other side closed. */
  closed(): Promise<string>;
  destroy(): void;
}

export async function openConnection(url: string): Promise<RawConnection> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  let ended = false;
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    ended = true;
  });

  async function until(condition: () => boolean, what: string): Promise<string> {
    for (const deadline = Date.now() + DEADLINE_MS; Date.now() < deadline; await sleep(POLL_MS)) {
      if (condition()) return text;
    }
    throw new Error(`${what} did not come; received: ${text.slice(0, 500)}`);
  }

  return {
    write: (bytes) => void socket.write(bytes),
    unsent: () => socket.writableLength,
    received: (part) => until(() => text.includes(part), part),
    closed: () => until(() => ended, 'The end'),
    destroy: () => void socket.destroy(),
  };
}
