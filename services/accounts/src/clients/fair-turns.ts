/** A piece of work could not be queued: for its own tenant's sake, or because the queue is full. */
export type Refusal = 'tenant-is-full' | 'all-is-full';

interface Waiter {
  begin: () => void;
  refuse: (refusal: Refusal) => void;
}

/**
 * Lets one piece of work run at a time and gives the turn from tenant to tenant, so that a tenant
 * with many waiting delays another's first by at most the work that is running. A full queue gives
 * up the newest of the tenant that has most in it.
 */
export class FairTurns {
  private isRunning = false;
  private lastTenant: string | undefined;
  /** Tenants in the order of their next turn; none has an empty list. */
  private readonly waiting = new Map<string, Waiter[]>();

  constructor(private readonly max: { perTenant: number; inAll: number }) {}

  /** @throws what refused makes, when the work may not wait; what the work throws */
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

  /** The turn is handed over directly: nobody who comes in between takes it. */
  private next(): void {
    const tenants = [...this.waiting.keys()];
    const tenant = tenants.find((one) => one !== this.lastTenant) ?? tenants[0];
    if (tenant === undefined) {
      this.isRunning = false;
      return;
    }
    const [first, ...rest] = this.waiting.get(tenant) ?? [];
    // To the end of the order, which is that of insertion.
    this.waiting.delete(tenant);
    if (rest.length > 0) this.waiting.set(tenant, rest);
    first?.begin();
  }
}
