/** How often one cause has a line, in milliseconds. */
const EVERY_MS = 60_000;

/** Causes that are remembered; each is a text of a library, which may hold an address or a port. */
const MAX_CAUSES = 100;

/** Lets a log line through once a minute for each cause: a store that is unavailable would otherwise fill the disk. */
export class SeldomLines {
  private readonly causes = new Map<string, { times: number; atMs: number }>();

  constructor(private readonly monotonicMs: () => number = () => performance.now()) {}

  /**
   * @param write is given how often the cause came since its last line, this time included
   * @param times how often it came now
   */
  note(cause: string, write: (times: number) => void, times = 1): void {
    if (this.causes.size >= MAX_CAUSES && !this.causes.has(cause)) this.causes.clear();
    const line = this.causes.get(cause) ?? { times: 0, atMs: -EVERY_MS };
    this.causes.set(cause, line);
    line.times += times;
    const nowMs = this.monotonicMs();
    if (nowMs - line.atMs < EVERY_MS) return;
    write(line.times);
    Object.assign(line, { times: 0, atMs: nowMs });
  }
}
