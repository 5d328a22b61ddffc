import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The behaviour of Twilio. In the three accepting modes, an SMS is sent. */
export type TwilioMode = 'accept' | 'accept-then-500' | 'accept-then-hang' | 'refuse' | 'storm';

/** One post as Twilio saw it. */
export interface TwilioEntry {
  at: number;
  /** From the callback's address, which carries it. */
  messageId: string;
  to: string;
  body: string;
  /** Whether an SMS went out. */
  accepted: boolean;
  /** Only where the sender was told it. */
  sid?: string;
}

/** Another program may hold the port for a moment while it is closed. */
const LISTEN_TRIES = 50;
const LISTEN_PAUSE_MS = 100;

/** Twilio's stand-in. Its log only grows, and is what the checker believes about SMS. */
export class ChaosTwilio {
  readonly #log: TwilioEntry[] = [];
  #server: Server | undefined;
  #port = 0;
  #mode: TwilioMode = 'accept';

  static async start(): Promise<ChaosTwilio> {
    const twilio = new ChaosTwilio();
    await twilio.#open();
    return twilio;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get log(): readonly TwilioEntry[] {
    return this.#log;
  }

  async setMode(mode: TwilioMode): Promise<void> {
    this.#mode = mode;
    if (mode === 'refuse') await this.stop();
    else await this.#open();
  }

  /** Closes the port: whoever calls is refused. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    await new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  }

  async #open(): Promise<void> {
    for (let tries = 1; this.#server === undefined; tries += 1) {
      const server = createServer((req, res) => this.#receive(req, res));
      try {
        await new Promise<void>((done, failed) => {
          server.once('error', failed);
          server.listen(this.#port, '127.0.0.1', done);
        });
        this.#server = server;
        this.#port = (server.address() as AddressInfo).port;
      } catch (error) {
        if (tries === LISTEN_TRIES) throw error;
        await sleep(LISTEN_PAUSE_MS);
      }
    }
  }

  #receive(req: IncomingMessage, res: ServerResponse): void {
    let text = '';
    req.on('data', (chunk: Buffer) => (text += chunk.toString()));
    req.on('end', () => this.#answer(new URLSearchParams(text), res));
  }

  #answer(form: URLSearchParams, res: ServerResponse): void {
    const entry: TwilioEntry = {
      at: Date.now(),
      messageId: form.get('StatusCallback')?.split('/').at(-1) ?? '',
      to: form.get('To') ?? '',
      body: form.get('Body') ?? '',
      accepted: this.#mode !== 'storm',
    };
    this.#log.push(entry);
    if (this.#mode === 'accept-then-hang') return;
    const say = (status: number, body: object) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (this.#mode === 'storm') say(429, { status: 429, code: 20429 });
    else if (this.#mode === 'accept-then-500') say(500, { status: 500, code: 20500 });
    else {
      entry.sid = `SM${randomBytes(16).toString('hex')}`;
      say(201, { sid: entry.sid, status: 'queued', to: entry.to });
    }
  }
}
