import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** Ends a connection without a word to the server, which may not hear it. Its statement fails. */
export function destroyConnection(client: ClientBase): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}
