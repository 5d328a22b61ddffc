/**
 * A piece of work was not queued, because its tenant has too many in the queue or the queue is
 * full.
 */
export type Refusal = 'tenant-is-full' | 'all-is-full';

interface Waiter {
  begin: () => void;
  refuse: (refusal: Refusal) => void;
}

/**
 * Runs one piece of work at a time and alternates between tenants. A tenant with a long queue
 * delays another tenant's next work by at most the running piece. A full queue drops the newest
 * work of the tenant with the most in it.
 */
export class FairTurns {
  private isRunning = false;
  private lastTenant: string | undefined;
  /** Tenants in the order of their next turn; none has an empty list. */
  private readonly waiting = new Map<string, Waiter[]>();

  constructor(private readonly max: { perTenant: number; inAll: number }) {}

  /** @throws the error made by `refused` if the work may not wait, and any error of the work */
  async run<Result>(
    tenant: string,
    work: () => Promise<Result>,
    refused: (refusal: Refusal) => Error,
  ): Promise<Result> {
    if (this.isRunning) {
      const refusal = await new Promise<Refusal | undefined>((resolve) =>
        this.enqueue(tenant, { begin: () => resolve(undefined), refuse: resolve }),
      );
      if (refusal !== undefined) throw refused(refusal);
    }
    this.isRunning = true;
    this.lastTenant = tenant;
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  private enqueue(tenant: string, waiter: Waiter): void {
    const own = this.waiting.get(tenant) ?? [];
    if (own.length >= this.max.perTenant) {
      waiter.refuse('tenant-is-full');
      return;
    }
    const all = [...this.waiting.values()];
    if (all.reduce((sum, { length }) => sum + length, 0) >= this.max.inAll) {
      const longest = all.reduce((a, b) => (b.length > a.length ? b : a));
      if (longest.length <= own.length + 1) {
        waiter.refuse('all-is-full');
        return;
      }
      longest.pop()?.refuse('tenant-is-full');
    }
    this.waiting.set(tenant, [...own, waiter]);
  }

  /** Hands the turn over directly, so that work that arrives meanwhile cannot take it. */
  private next(): void {
    const tenants = [...this.waiting.keys()];
    const tenant = tenants.find((one) => one !== this.lastTenant) ?? tenants[0];
    if (tenant === undefined) {
      this.isRunning = false;
      return;
    }
    const [first, ...rest] = this.waiting.get(tenant) ?? [];
    // Moves to the end: a Map keeps the order of insertion.
    this.waiting.delete(tenant);
    if (rest.length > 0) this.waiting.set(tenant, rest);
    first?.begin();
  }
}
