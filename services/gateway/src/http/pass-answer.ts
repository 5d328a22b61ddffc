import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { responseHeaders } from './forwarded-headers';

/** Statuses below this only announce an answer; undici reports them as well (RFC 9110, 15.2). */
const FIRST_FINAL_STATUS = 200;

/**
 * Writes a service's answer to the caller's response as it arrives, and waits for the caller where
 * that is slower. It is undici's own interface: `pool.stream` adds a listener, an async resource and a
 * signal to each request.
 */
export class PassAnswer implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #isAborted = false;
  #hasBegun = false;

  /** @param end called once, with null when the whole answer has been passed on */
  constructor(
    private readonly res: ServerResponse,
    private readonly requestId: string,
    private readonly end: (error: Error | null) => void,
  ) {}

  /** Ends the request to the service, now or when its connection is there. */
  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort(new Error('Given up'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isAborted) this.abort();
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number): void {
    if (statusCode < FIRST_FINAL_STATUS || this.res.headersSent) return;
    this.#hasBegun = true;
    const raw = (controller.rawHeaders ?? []) as Buffer[];
    const headers = responseHeaders(raw.map((text) => text.toString('latin1')));
    this.res.writeHead(statusCode, headers.concat('X-Request-Id', this.requestId));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // A response that was destroyed reports a write as an error that nobody handles.
    if (this.res.destroyed || this.res.write(chunk)) return;
    controller.pause();
    this.res.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.res.end();
    this.end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // The caller sees that the answer is not whole. One of the gateway's own is left alone.
    if (this.#hasBegun) this.res.destroy();
    this.end(error);
  }
}
