import type { InvariantCheck } from '@fiado/contracts/invariants';
import { SERVICES, type Service } from '@fiado/contracts/process-names';
import type { Io } from '../output';

/** How far a service is checked. */
interface ServicePosition {
  /** Everything of it is checked. */
  isDone: boolean;
  rows: number;
  /** From 0 to 1. */
  done: number;
  checks: InvariantCheck[];
}

/** How far the services are compared. */
interface ComparisonPosition {
  /** The last corner store that was compared. */
  last: string | undefined;
  cornerStores: number;
}

/** How far a run is. */
export interface Position {
  /** ISO 8601; undefined: everything is checked. */
  since: string | undefined;
  services: Record<Service, ServicePosition>;
  comparison: ComparisonPosition;
}

export function beginning(since: string | undefined): Position {
  const service = (): ServicePosition => ({ isDone: false, rows: 0, done: 0, checks: [] });
  return {
    since,
    services: Object.fromEntries(SERVICES.map((name) => [name, service()])) as Position['services'],
    comparison: { last: undefined, cornerStores: 0 },
  };
}

const BAR_WIDTH = 24;
/** A terminal is written to ten times a second at most, any other stream every ten seconds. */
const REDRAW_MS = 100;
const LINE_MS = 10_000;
/** The digits of an id of version 7 that are its time. */
const TIME_DIGITS = 12;

/** Shows how far a run is, on stderr. */
export class Progress {
  private shownAt: number;

  constructor(
    private readonly stream: Io['stderr'],
    private readonly position: Position,
  ) {
    // A run that is quickly over shows nothing.
    this.shownAt = Date.now();
  }

  /** Shows the position, unless it was shown just now. */
  show(): void {
    const every = this.stream.isTTY === true ? REDRAW_MS : LINE_MS;
    if (Date.now() - this.shownAt < every) return;
    this.shownAt = Date.now();
    const text = textOf(this.position);
    this.stream.write(this.stream.isTTY === true ? `\r\u001B[K${text}` : `${text}\n`);
  }

  /** Removes the bar from a terminal. */
  clear(): void {
    if (this.stream.isTTY === true) this.stream.write('\r\u001B[K');
  }
}

function textOf({ services, comparison }: Position): string {
  const shares = SERVICES.map((name) => services[name].done);
  const done = [...shares, shareCompared(comparison.last)];
  const total = done.reduce((sum, share) => sum + share, 0) / done.length;
  const filled = Math.floor(total * BAR_WIDTH);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
  const rows = SERVICES.reduce((sum, name) => sum + services[name].rows, 0);
  const now =
    SERVICES.filter((name) => !services[name].isDone)
      .map((name) => `${name} ${percent(services[name].done)}`)
      .join(', ') || `${comparison.cornerStores} corner stores compared`;
  return `${bar} ${percent(total)}  ${rows} rows  ${now}`;
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
