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
