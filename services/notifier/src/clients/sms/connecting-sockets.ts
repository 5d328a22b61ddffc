import type { Agent, ClientRequest } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';

/**
 * Tracks connections that are not established yet. Node writes no byte of a request before the
 * connection is established (with TLS, before the handshake is done), so a request that failed on
 * such a connection was certainly not sent. Error codes are ambiguous: ETIMEDOUT and ECONNRESET
 * occur before and after that.
 */
export class ConnectingSockets {
  private readonly connecting = new WeakSet<Duplex>();

  /** Watches all connections that this agent makes from now on. */
  watch(agent: Agent): void {
    const ready = agent instanceof HttpsAgent ? 'secureConnect' : 'connect';
    const create = agent.createConnection.bind(agent);
    agent.createConnection = (...args: Parameters<Agent['createConnection']>) => {
      const socket = create(...args);
      if (socket) {
        this.connecting.add(socket);
        socket.once(ready, () => this.connecting.delete(socket));
      }
      return socket;
    };
  }

  /** Whether certainly nothing of the request was written. */
  isUnwritten({ socket }: ClientRequest): boolean {
    return socket === null || this.connecting.has(socket);
  }
}
