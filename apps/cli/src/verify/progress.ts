import { SERVICES, type Service } from '@fiado/contracts/process-names';
import type { Io } from '../output';

const BAR_WIDTH = 24;
/** A terminal is written to ten times a second at most, any other stream every ten seconds. */
const REDRAW_MS = 100;
const LINE_MS = 10_000;
/** The digits of an id of version 7 that are its time. */
const TIME_DIGITS = 12;

/** How far a run is. */
export class Progress {
  /** The rows of each service that are checked, and its progress from 0 to 1. */
  private readonly services = new Map<Service, { rows: number; done: number }>();
  cornerStores = 0;
  /** The last corner store that was compared. */
  private last: string | undefined;
  // A run that is quickly over shows nothing.
  private shownAt = Date.now();

  /** @param stream shows it; undefined: nothing does */
  constructor(private readonly stream?: Io['stderr']) {}

  /** A range of a service is checked. */
  checked(service: Service, { rows, done }: { rows: number; done: number }): void {
    this.services.set(service, { rows: (this.services.get(service)?.rows ?? 0) + rows, done });
    this.show();
  }

  compared(cornerStoreId: string): void {
    this.cornerStores += 1;
    this.last = cornerStoreId;
    this.show();
  }

  /** Removes the bar from a terminal. */
  clear(): void {
    if (this.stream?.isTTY === true) this.stream.write('\r\u001B[K');
  }

  /** Unless it was shown just now. */
  private show(): void {
    const { stream } = this;
    const every = stream?.isTTY === true ? REDRAW_MS : LINE_MS;
    if (stream === undefined || Date.now() - this.shownAt < every) return;
    this.shownAt = Date.now();
    const text = this.text();
    stream.write(stream.isTTY === true ? `\r\u001B[K${text}` : `${text}\n`);
  }

  private text(): string {
    const doneOf = (name: Service): number => this.services.get(name)?.done ?? 0;
    const done = [...SERVICES.map(doneOf), shareCompared(this.last)];
    const total = done.reduce((sum, share) => sum + share, 0) / done.length;
    const filled = Math.floor(total * BAR_WIDTH);
    const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
    const rows = [...this.services.values()].reduce((sum, one) => sum + one.rows, 0);
    const now =
      SERVICES.filter((name) => doneOf(name) < 1)
        .map((name) => `${name} ${percent(doneOf(name))}`)
        .join(', ') || `${this.cornerStores} corner stores compared`;
    return `${bar} ${percent(total)}  ${rows} rows  ${now}`;
  }
}

/** Ids of version 7 are in the order of their time; how far one is between the release and now. */
function shareCompared(last: string | undefined): number {
  if (last === undefined) return 0;
  const time = Number.parseInt(last.replace('-', '').slice(0, TIME_DIGITS), 16);
  return Math.min(1, time / Date.now());
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
