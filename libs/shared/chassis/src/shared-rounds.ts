/**
 * Shares one piece of work among the callers with one key. A caller that finds the work running waits for the next
 * run, because the running one began before its call.
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
