import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '@fiado/contracts/errors';
import { driverError } from '../db/query';
import { inStatementSpan } from '../tracing/tracer';

/** Longest batch. Beyond it an item hardly costs less, and a failed batch costs more. */
const MAX_ITEMS = 64;
/** Batches at the same time, by default: while the database works on one, the process prepares the next. */
const MAX_IN_FLIGHT = 2;
/** Items that may wait for a batch. Beyond it an item is refused at once. */
const MAX_WAITING = 2_000;
/** How long an item may wait and be repeated, in milliseconds: less than the gateway's deadline. */
const MAX_WAIT_MS = 5_000;
/** Items that run alone at the same time, so that items with locked rows cannot use up the pool. */
const MAX_ALONE = 3;
/** How long the items of a tenant run apart after one of them failed in a batch, in milliseconds. */
const APART_MS = 60_000;
/** Attempts of one item that the database rolled back for a lock, a deadlock or its time limit. */
const MAX_ATTEMPTS = 3;

/** Lock time-out, deadlock, statement time-out: the database rolled back, whatever the items are. */
const ROLLED_BACK = new Set(['55P03', '40P01', '57014']);

/** The outcome of an item whose rows another transaction had locked. It runs again, alone. */
export const NOT_LOCKED = Symbol('not locked');

export interface LaneOptions<Item, Result> {
  /** Of its statement. In a trace, each item has a span of this name. */
  name: string;
  /**
   * Runs one batch in a statement or a database transaction that takes effect as a whole or not at
   * all. Returns an outcome for each item, in the order of the items.
   */
  run: (items: Item[]) => Promise<Array<Result | typeof NOT_LOCKED>>;
  /** Runs one item and waits for its locks. Required if `run` returns NOT_LOCKED. */
  runAlone?: (item: Item) => Promise<Result>;
  /** All batches in flight together have at most one item of each key. By default there are none. */
  keysOf?: (item: Item) => string[];
  /** Tenants take turns where more items wait than fit into a batch. */
  tenantOf: (item: Item) => string;
  /** Batches at the same time. With one they become larger, and their items wait longer. */
  inFlight?: number;
  /** Milliseconds; tests have a clock of their own. */
  now?: () => number;
}

interface Entry<Item, Result> {
  item: Item;
  tenant: string;
  keys: string[];
  since: number;
  /** Whether it left its batch, because its rows were locked. */
  isAlone: boolean;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Runs items in batches that form by themselves. An item leaves at once while a place in flight is
 * free; items that arrive meanwhile leave together in the next batch. No timer delays an item: an
 * idle process works as without batches, and under load an item costs less.
 *
 * A batch that fails is halved until the item that caused the failure is alone with its error. The
 * items of its tenant then run apart from those of others for a minute.
 */
export class Lane<Item, Result> {
  private waiting: Array<Entry<Item, Result>> = [];
  private readonly waitingAlone: Array<Entry<Item, Result>> = [];
  /** Keys of the items in flight. */
  private readonly heldKeys = new Set<string>();
  private readonly apartUntil = new Map<string, number>();
  private inFlight = 0;
  private isApartInFlight = false;
  private alone = 0;
  private isPaused = false;
  /** A batch belongs to no single request: its log lines and spans must not be those of one. */
  private readonly outsideRequests = AsyncLocalStorage.snapshot();
  private readonly now: () => number;
  private readonly maxInFlight: number;

  constructor(private readonly options: LaneOptions<Item, Result>) {
    this.maxInFlight = options.inFlight ?? MAX_IN_FLIGHT;
    this.now = options.now ?? (() => performance.now());
  }

  /**
   * Adds an item to the next batch.
   * @throws AppError SERVICE_UNAVAILABLE if too many items wait, or this one waited too long
   */
  add(item: Item): Promise<Result> {
    if (this.waiting.length >= MAX_WAITING && !this.makeRoomFor(item)) {
      return Promise.reject(tooBusy());
    }
    return inStatementSpan(
      this.options.name,
      () =>
        new Promise((resolve, reject) => {
          const tenant = this.options.tenantOf(item);
          const keys = this.options.keysOf?.(item) ?? [];
          const since = this.now();
          this.waiting.push({ item, tenant, keys, since, isAlone: false, resolve, reject });
          this.outsideRequests(() => this.dispatch());
        }),
    );
  }

  /**
   * Refuses the newest item of the tenant that has most of them waiting, so that a crowd takes no
   * place of another tenant.
   * @returns false if that tenant is the item's own
   */
  private makeRoomFor(item: Item): boolean {
    const counts = new Map<string, number>();
    for (const { tenant } of this.waiting) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
    const [crowd, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
    const own = this.options.tenantOf(item);
    if (crowd === own || most <= (counts.get(own) ?? 0) + 1) return false;
    const at = this.waiting.findLastIndex(({ tenant }) => tenant === crowd);
    const [refused] = this.waiting.splice(at, 1);
    refused?.reject(tooBusy());
    return true;
  }

  /** Lets items wait until `resume`: tests and measurements make batches of a known size. */
  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.dispatch();
  }

  /** The number of items that wait for a batch. */
  get size(): number {
    return this.waiting.length;
  }

  private dispatch(): void {
    if (this.isPaused) return;
    this.refuseLate();
    while (this.inFlight < this.maxInFlight) {
      const batch = this.take((tenant) => !this.isApart(tenant));
      if (batch.length === 0) break;
      this.inFlight += 1;
      void this.send(batch).finally(() => {
        this.inFlight -= 1;
        this.release(batch);
      });
    }
    if (this.apartUntil.size > 0 && !this.isApartInFlight) this.dispatchApart();
  }

  /** Sends a batch of one tenant that runs apart, in a place of its own. */
  private dispatchApart(): void {
    const first = this.waiting.find(
      ({ tenant, keys }) => this.isApart(tenant) && !this.areHeld(keys),
    );
    if (first === undefined) return;
    const batch = this.take((tenant) => tenant === first.tenant);
    this.isApartInFlight = true;
    void this.send(batch).finally(() => {
      this.isApartInFlight = false;
      this.release(batch);
    });
  }

  /** Takes the next batch of these tenants out of the waiting items, and holds its keys. */
  private take(accepts: (tenant: string) => boolean): Array<Entry<Item, Result>> {
    if (this.waiting.length === 0) return [];
    // Also the keys of items that stay: a later item of the same key must not overtake them.
    const seen = new Set<string>();
    const candidates = this.waiting.filter(({ tenant, keys }) => {
      const fits = accepts(tenant) && !keys.some((key) => seen.has(key) || this.heldKeys.has(key));
      for (const key of keys) seen.add(key);
      return fits;
    });
    const batch = candidates.length <= MAX_ITEMS ? candidates : inTurns(candidates, MAX_ITEMS);
    if (batch.length === this.waiting.length) {
      this.waiting = [];
    } else {
      const taken = new Set(batch);
      this.waiting = this.waiting.filter((entry) => !taken.has(entry));
    }
    for (const { keys } of batch) for (const key of keys) this.heldKeys.add(key);
    return batch;
  }

  private areHeld(keys: string[]): boolean {
    return keys.some((key) => this.heldKeys.has(key));
  }

  private isApart(tenant: string): boolean {
    const until = this.apartUntil.get(tenant);
    if (until === undefined) return false;
    if (until > this.now()) return true;
    this.apartUntil.delete(tenant);
    return false;
  }

  /** Lets go of the keys of a batch; items that run alone keep theirs until they have run. */
  private release(batch: Array<Entry<Item, Result>>): void {
    for (const entry of batch) if (!entry.isAlone) this.releaseKeys(entry);
    this.dispatch();
  }

  private releaseKeys({ keys }: Entry<Item, Result>): void {
    for (const key of keys) this.heldKeys.delete(key);
  }

  /** Runs a batch, or what is left of one, and settles each of its items. */
  private async send(
    batch: Array<Entry<Item, Result>>,
    { attempt = 1, isPart = false } = {},
  ): Promise<void> {
    try {
      const outcomes = await this.options.run(batch.map(({ item }) => item));
      for (const [at, entry] of batch.entries()) {
        const outcome = outcomes[at];
        if (outcome === NOT_LOCKED) this.runAlone(entry);
        else entry.resolve(outcome as Result);
      }
    } catch (error) {
      await this.sendAgain(batch, error, { attempt, isPart });
    }
  }

  private async sendAgain(
    batch: Array<Entry<Item, Result>>,
    error: unknown,
    { attempt, isPart }: { attempt: number; isPart: boolean },
  ): Promise<void> {
    const code = driverError(error).code ?? '';
    const isCertain = isRollback(code);
    const limit = this.now() - MAX_WAIT_MS;
    const left = batch.filter((entry) => {
      // After a lost connection nobody knows whether the batch took effect.
      const mayRunAgain = isCertain && entry.since > limit;
      if (!mayRunAgain) entry.reject(error);
      return mayRunAgain;
    });
    const [first, ...others] = left;
    if (first === undefined) return;
    if (others.length > 0) {
      const half = Math.ceil(left.length / 2);
      await this.send(left.slice(0, half), { isPart: true });
      await this.send(left.slice(half), { isPart: true });
    } else if (ROLLED_BACK.has(code) && attempt < MAX_ATTEMPTS) {
      await this.send(left, { attempt: attempt + 1, isPart });
    } else {
      if (isPart) this.apartUntil.set(first.tenant, this.now() + APART_MS);
      first.reject(error);
    }
  }

  private runAlone(entry: Entry<Item, Result>): void {
    entry.isAlone = true;
    this.waitingAlone.push(entry);
    this.dispatchAlone();
  }

  private dispatchAlone(): void {
    const { runAlone = refuseToRunAlone } = this.options;
    while (this.alone < MAX_ALONE) {
      const entry = this.waitingAlone.shift();
      if (entry === undefined) return;
      this.alone += 1;
      void Promise.resolve(entry.item)
        .then(runAlone)
        .then(entry.resolve, entry.reject)
        .finally(() => {
          this.alone -= 1;
          this.releaseKeys(entry);
          this.dispatchAlone();
          this.dispatch();
        });
    }
  }

  /** Refuses items that waited too long, such as behind a database that does not answer. */
  private refuseLate(): void {
    const limit = this.now() - MAX_WAIT_MS;
    if (this.waiting[0] === undefined || this.waiting[0].since > limit) return;
    const late = this.waiting.filter(({ since }) => since <= limit);
    this.waiting = this.waiting.slice(late.length);
    for (const entry of late) entry.reject(tooBusy());
  }
}

/** Whether Postgres answered with an error of the statement, so that nothing of it took effect. */
function isRollback(code: string): boolean {
  // 08 are lost connections, 57P is a server that ends sessions, E begins codes of Node.
  return /^(?!E|08|57P)[0-9A-Z]{5}$/.test(code);
}

/** The first entry of each tenant, then the second of each, and so on. */
function inTurns<Entry extends { tenant: string }>(entries: Entry[], count: number): Entry[] {
  const byTenant = new Map<string, Entry[]>();
  for (const entry of entries) {
    const own = byTenant.get(entry.tenant);
    if (own === undefined) byTenant.set(entry.tenant, [entry]);
    else own.push(entry);
  }
  const taken: Entry[] = [];
  for (let turn = 0; taken.length < count; turn += 1) {
    for (const own of byTenant.values()) {
      const entry = own[turn];
      if (entry !== undefined && taken.length < count) taken.push(entry);
    }
  }
  return taken;
}

function refuseToRunAlone(): never {
  throw new Error('An item was not locked, in a lane that runs none alone');
}

function tooBusy(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
}
