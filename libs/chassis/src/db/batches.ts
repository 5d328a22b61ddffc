import { isDatabaseUnavailable } from './query';

/** Rows of one statement: a few milliseconds of work. */
const MAX_ROWS = 100;

interface WaitingRow<Row> {
  row: Row;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Writes rows of many callers in few statements. A row that is alone is written at once. Rows that
 * come while a statement runs are the next statement, so its cost for each row falls with load.
 */
export class Batches<Row> {
  private waiting: Array<WaitingRow<Row>> = [];
  private isWriting = false;

  /** @param write stores all of the rows or none; safe to repeat after a lost answer */
  constructor(private readonly write: (rows: Row[]) => Promise<void>) {}

  /**
   * Resolves when the row is stored.
   * @throws the error of its statement. Where several rows failed together, each is tried once more
   *   by itself, so that a bad row fails alone
   */
  add(row: Row): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ row, resolve, reject });
      if (!this.isWriting) void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_ROWS);
      await this.writeBatch(batch);
    }
    this.isWriting = false;
  }

  private async writeBatch(batch: Array<WaitingRow<Row>>): Promise<void> {
    try {
      await this.write(batch.map(({ row }) => row));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (batch.length === 1 || isDatabaseUnavailable(error)) {
        for (const { reject } of batch) reject(error);
      } else {
        await Promise.all(
          batch.map(({ row, resolve, reject }) => this.write([row]).then(resolve, reject)),
        );
      }
    }
  }
}

/**
 * Lets any number of callers share one piece of work by key, without ever handing a caller work
 * that began before it asked: a caller that finds a round running waits for the round after it.
 */
export class SharedRounds {
  private readonly byKey = new Map<string, Rounds>();

  run(key: string, work: () => Promise<void>): Promise<void> {
    const rounds = this.byKey.get(key);
    if (rounds === undefined) return this.begin(key, work);
    rounds.next ??= rounds.running.catch(() => {}).then(() => this.begin(key, work));
    return rounds.next;
  }

  private begin(key: string, work: () => Promise<void>): Promise<void> {
    const running = work();
    const rounds: Rounds = { running, next: undefined };
    this.byKey.set(key, rounds);
    const forget = (): void => {
      if (this.byKey.get(key) === rounds && rounds.next === undefined) this.byKey.delete(key);
    };
    running.then(forget, forget);
    return running;
  }
}

interface Rounds {
  running: Promise<void>;
  next: Promise<void> | undefined;
}
