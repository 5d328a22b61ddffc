import { setTimeout as sleep } from 'node:timers/promises';

/** One operation of a client; all its attempts carry the same Idempotency-Key. */
type OperationKind = 'order' | 'batch' | 'confirm' | 'resend' | 'deliver' | 'deposit';

export interface Operation extends Omit<Request, 'credential'> {
  invokedAt: number;
  /** ok and fail are answers; unknown may have happened or not. */
  outcome: 'ok' | 'fail' | 'unknown';
  attempts: number;
  status?: number;
  text?: string;
}

export interface Request {
  kind: OperationKind;
  client: number;
  credential: string;
  path: string;
  idempotencyKey: string;
  body?: object;
}

/** Longer than the gateway's own deadline of 10 s. */
const CLIENT_TIMEOUT_MS = 15_000;
const RETRY_MS = 250;
/** The only refusals that a right request of the workload may meet. */
const ALLOWED: Partial<Record<OperationKind, string[]>> = {
  order: ['CREDIT_LIMIT_EXCEEDED'],
  resend: ['TOO_MANY_ATTEMPTS'],
};

/** Everything that the clients did and heard; it only grows. */
export class History {
  readonly operations: Operation[] = [];
  readonly violations: string[] = [];
  /** Answers 503, all of them with Retry-After unless there is a violation. */
  unavailable = 0;

  constructor(private readonly baseUrl: string) {}

  /** Tries until there is an answer, as a client with an Idempotency-Key may. */
  async perform(request: Request, giveUpAt: number): Promise<Operation> {
    const { credential: _, ...asked } = request;
    const begun = { invokedAt: Date.now(), outcome: 'unknown', attempts: 0 } as const;
    const operation: Operation = { ...asked, ...begun };
    this.operations.push(operation);
    do {
      operation.attempts += 1;
      const method = ['confirm', 'deliver'].includes(request.kind) ? 'PUT' : 'POST';
      const answer = await this.send(method, request);
      if (answer !== undefined && !isUnknown(answer)) {
        Object.assign(operation, { status: answer.status, text: answer.text });
        operation.outcome = answer.status < 300 ? 'ok' : 'fail';
        this.#note(operation);
        return operation;
      }
      await sleep(RETRY_MS);
    } while (Date.now() < giveUpAt);
    return operation;
  }

  /** One call; undefined if it got no answer. */
  async read(credential: string, path: string): Promise<Answer | undefined> {
    const answer = await this.send('GET', { credential, path });
    return answer?.status === 503 ? undefined : answer;
  }

  private async send(
    method: string,
    { credential, path, body, idempotencyKey }: Sent,
  ): Promise<Answer | undefined> {
    try {
      const response = await fetch(`${this.baseUrl}/v1${path}`, {
        method,
        headers: {
          authorization: credential,
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
      });
      const text = await response.text();
      if (response.status === 503) {
        this.unavailable += 1;
        if (!response.headers.has('retry-after')) {
          this.violations.push(`${method} ${path} was answered 503 without Retry-After`);
        }
      } else if (response.status >= 500 || [401, 403].includes(response.status)) {
        const id = response.headers.get('x-request-id');
        this.violations.push(`${method} ${path} was answered ${response.status} ${text} (${id})`);
      }
      return { status: response.status, text };
    } catch {
      return undefined; // refused, reset or too late: nobody knows
    }
  }

  #note({ kind, outcome, status, text, attempts }: Operation): void {
    if (outcome === 'ok') return;
    if (ALLOWED[kind]?.some((code) => text?.includes(`"${code}"`))) return;
    this.violations.push(`a right ${kind} was refused in try ${attempts}: ${status} ${text}`);
  }
}

export interface Answer {
  status: number;
  text: string;
}

type Sent = Pick<Request, 'credential' | 'path'> & Partial<Request>;

function isUnknown({ status, text }: Answer): boolean {
  // A duplicate of a request that still runs is answered 409 with Retry-After.
  return status >= 500 || (status === 409 && text.includes('IDEMPOTENCY_CONFLICT'));
}
