import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '@fiado/contracts/errors';
import { driverError } from '../db/errors';
import { STATEMENT_TIMEOUT_MS } from '../db/roles';
import { Progress, STUCK_MS } from '../progress';
import { inStatementSpan } from '../tracing/tracer';
import { byTenant, inTurns } from './tenants';

/** Longest batch. Beyond it an item hardly costs less, and a failed batch costs more. */
const MAX_ITEMS = 64;
/** How long a batch holds up the next one, in milliseconds. It usually takes less than ten. */
const SLOW_MS = 50;
/** Batches at the same time while the first is slow. */
const MAX_IN_FLIGHT = 2;
/** Items that may wait for a batch. Beyond it an item is refused at once. */
const MAX_WAITING = 2_000;
/** How long an item may wait for its batch, in milliseconds. */
const MAX_WAIT_MS = 5_000;
/**
 * Age of an item after which it is not repeated, in milliseconds. Items whose batch timed out have time left for
 * another attempt, and the gateway, which waits for 10 s, still gets the answer.
 */
const DEADLINE_MS = STATEMENT_TIMEOUT_MS + 3_000;
/** Items that run alone at the same time, so that locked rows and slow items cannot use up the pool. */
const MAX_ALONE = 3;
/** Batches at the same time of tenants that run apart: one of each. */
const MAX_APART = 3;
/** How long the items of a tenant run apart after one of them made a batch fail, in milliseconds. */
const APART_MS = 60_000;
/** Attempts of one item that the database rolled back for a lock, a deadlock or its time limit. */
const MAX_ATTEMPTS = 3;

const STATEMENT_TIMED_OUT = '57014';
/** With a lock time-out, a deadlock and a serialization failure: the same items may succeed in another attempt. */
const MAY_PASS = new Set(['55P03', '40P01', '40001', STATEMENT_TIMED_OUT]);

/** The outcome of an item whose rows another transaction had locked. It runs again, alone. */
export const NOT_LOCKED = Symbol('not locked');

export interface LaneOptions<Item, Result> {
  /** Name of its statement. In a trace, each item has a span of this name. */
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
  /** Milliseconds; tests have a clock of their own. */
  now?: () => number;
}

interface Entry<Item, Result> {
  item: Item;
  tenant: string;
  keys: string[];
  since: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** How a batch, or a part of one, is run. */
interface Run {
  attempt?: number;
  /** Whether its items were in a batch that failed. */
  isPart?: boolean;
  /** Whether it has the place of a tenant that runs apart. */
  isApart?: boolean;
}

/**
 * Runs items in batches. While no batch is in flight, an item starts at the end of the event loop turn in
 * which it arrived. Items that arrive while a batch is in flight start together in the next batch, or in a
 * second one if the first is slow. No timer delays an item: an idle process works as without batches, and
 * under load an item costs less.
 *
 * A batch that fails for an item is halved until the item is alone with its error. After a time-out
 * or a deadlock, which may take seconds, halves would take too long: each item is repeated alone, at most
 * one of each tenant at a time and MAX_ALONE in all. An item whose deadline is over is not repeated.
 * After an item failed or timed out alone, the items of its tenant run in separate batches for a minute.
 */
export class Lane<Item, Result> {
  private waiting: Array<Entry<Item, Result>> = [];
  /** Items that run alone, outside the limit of batches in flight. */
  private readonly waitingAlone: Array<() => Promise<void>> = [];
  /** Keys of the items in flight. */
  private readonly heldKeys = new Set<string>();
  private readonly apartUntil = new Map<string, number>();
  /** The batches in flight, oldest first. */
  private readonly inFlight = new Set<{ sinceMs: number }>();
  /** Tenants that run apart and have a batch in flight. */
  private readonly apartInFlight = new Set<string>();
  private alone = 0;
  private isPaused = false;
  private isDispatchDue = false;
  private slowTimer: NodeJS.Timeout | undefined;
  /** A batch belongs to no single request: its log lines and spans must not be those of one. */
  private readonly outsideRequests = AsyncLocalStorage.snapshot();
  private readonly now: () => number;
  private readonly progress: Progress;

  constructor(private readonly options: LaneOptions<Item, Result>) {
    this.now = options.now ?? (() => performance.now());
    this.progress = new Progress('lane', options.name, STUCK_MS);
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
          this.waiting.push({ item, tenant, keys, since, resolve, reject });
          this.dispatchSoon();
        }),
    );
  }

  /**
   * Refuses the newest item of the tenant that has most of them waiting, so that a crowd takes no
   * place of another tenant.
   * @returns false if no tenant has more of them than the item's own would have
   */
  private makeRoomFor(item: Item): boolean {
    const counts = new Map<string, number>();
    for (const { tenant } of this.waiting) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
    const [crowd, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
    const own = this.options.tenantOf(item);
    if (most <= (counts.get(own) ?? 0) + 1) return false;
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

  /** After the other events of this turn of the event loop: the requests in it are one batch. */
  private dispatchSoon(): void {
    if (this.isDispatchDue) return;
    this.isDispatchDue = true;
    this.outsideRequests(() =>
      setImmediate(() => {
        this.isDispatchDue = false;
        this.dispatch();
      }),
    );
  }

  private dispatch(): void {
    if (this.isPaused) return;
    this.refuseLate();
    while (this.waiting.length > 0 && this.hasPlace()) {
      const batch = this.take((tenant) => !this.isApart(tenant));
      if (batch.length === 0) break;
      const sent = { sinceMs: this.now() };
      this.inFlight.add(sent);
      void this.send(batch).finally(() => {
        this.inFlight.delete(sent);
        this.dispatchSoon();
      });
    }
    if (this.apartUntil.size > 0) this.dispatchApart();
  }

  /** Whether a batch may leave: one at a time, and a second one while the first is slow. */
  private hasPlace(): boolean {
    const [oldest] = this.inFlight;
    if (oldest === undefined) return true;
    if (this.inFlight.size >= MAX_IN_FLIGHT) return false;
    const leftMs = oldest.sinceMs + SLOW_MS - this.now();
    if (leftMs <= 0) return true;
    this.slowTimer ??= setTimeout(() => {
      this.slowTimer = undefined;
      this.dispatch();
    }, leftMs).unref();
    return false;
  }

  /** Sends batches of tenants that run apart, each in a place of its own. */
  private dispatchApart(): void {
    for (const tenant of new Set(this.waiting.map((entry) => entry.tenant))) {
      if (this.apartInFlight.size >= MAX_APART) return;
      if (!this.isApart(tenant) || this.apartInFlight.has(tenant)) continue;
      const batch = this.take((one) => one === tenant);
      if (batch.length === 0) continue;
      this.apartInFlight.add(tenant);
      void this.send(batch, { isApart: true }).finally(() => {
        this.apartInFlight.delete(tenant);
        this.dispatchSoon();
      });
    }
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

  private isApart(tenant: string): boolean {
    const until = this.apartUntil.get(tenant);
    if (until === undefined) return false;
    if (until > this.now()) return true;
    this.apartUntil.delete(tenant);
    return false;
  }

  private succeed(entry: Entry<Item, Result>, result: Result): void {
    this.releaseKeys(entry);
    entry.resolve(result);
  }

  private fail(entry: Entry<Item, Result>, error: unknown): void {
    this.releaseKeys(entry);
    entry.reject(error);
  }

  private releaseKeys({ keys }: Entry<Item, Result>): void {
    for (const key of keys) this.heldKeys.delete(key);
  }

  /** Runs a batch, or what is left of one, and settles each of its items. */
  private async send(batch: Array<Entry<Item, Result>>, run: Run = {}): Promise<void> {
    const left = run.isPart ? batch.filter((entry) => !this.refuseOverdue(entry)) : batch;
    if (left.length === 0) return;
    try {
      const outcomes = await this.progress.around(() =>
        this.options.run(left.map(({ item }) => item)),
      );
      for (const [at, entry] of left.entries()) {
        const outcome = outcomes[at];
        if (outcome === NOT_LOCKED) this.waitForLocks(entry);
        else this.succeed(entry, outcome as Result);
      }
    } catch (error) {
      await this.sendAgain(left, error, run);
    }
  }

  private async sendAgain(
    batch: Array<Entry<Item, Result>>,
    error: unknown,
    { attempt = 1, isPart = false, isApart = false }: Run,
  ): Promise<void> {
    const code = driverError(error).code ?? '';
    const [first, ...others] = batch;
    if (first === undefined) return;
    if (!isRollback(code)) {
      // It is unknown whether the batch took effect, such as after a lost connection.
      for (const entry of batch) this.fail(entry, error);
    } else if (others.length === 0) {
      const mayPass = MAY_PASS.has(code) && attempt < MAX_ATTEMPTS && !this.isOverdue(first);
      if (code === STATEMENT_TIMED_OUT || (isPart && !mayPass)) this.setApart(first.tenant);
      if (!mayPass) return this.fail(first, error);
      const again = () => this.send(batch, { attempt: attempt + 1, isPart, isApart });
      if (isApart) await again();
      else this.runAlone(again);
    } else if (MAY_PASS.has(code)) {
      for (const own of byTenant(batch).values()) {
        const eachAlone = async () => {
          for (const entry of own) await this.send([entry], { isPart: true, isApart });
        };
        if (isApart) await eachAlone();
        else this.runAlone(eachAlone);
      }
    } else {
      const half = Math.ceil(batch.length / 2);
      await this.send(batch.slice(0, half), { isPart: true, isApart });
      await this.send(batch.slice(half), { isPart: true, isApart });
    }
  }

  private setApart(tenant: string): void {
    this.apartUntil.set(tenant, this.now() + APART_MS);
  }

  private isOverdue({ since }: Entry<Item, Result>): boolean {
    return this.now() - since > DEADLINE_MS;
  }

  /** Refuses an item whose deadline is over, whatever other items it was repeated for. */
  private refuseOverdue(entry: Entry<Item, Result>): boolean {
    const isOverdue = this.isOverdue(entry);
    if (isOverdue) this.fail(entry, tooBusy());
    return isOverdue;
  }

  private waitForLocks(entry: Entry<Item, Result>): void {
    const { runAlone } = this.options;
    if (runAlone === undefined) return this.fail(entry, new Error('This lane runs no item alone'));
    this.runAlone(async () => {
      if (this.refuseOverdue(entry)) return;
      try {
        this.succeed(entry, await this.progress.around(() => runAlone(entry.item)));
      } catch (error) {
        this.fail(entry, error);
      }
    });
  }

  private runAlone(work: () => Promise<void>): void {
    this.waitingAlone.push(work);
    this.dispatchAlone();
  }

  private dispatchAlone(): void {
    while (this.alone < MAX_ALONE) {
      const work = this.waitingAlone.shift();
      if (work === undefined) return;
      this.alone += 1;
      void work().finally(() => {
        this.alone -= 1;
        this.dispatchAlone();
        this.dispatchSoon();
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

function tooBusy(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
}
