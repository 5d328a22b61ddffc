import { setImmediate as letOthersWork } from 'node:timers/promises';

/** Bytes of an id. */
const ID_BYTES = 16;

/** New and changed names that are kept one by one, before they become a segment. */
const MAX_RECENT = 2_000;

/** Segments that are searched before others work: in less than a millisecond. */
const SEGMENTS_AT_A_TIME = 8;

/** Names that do not change any more: they may be removed. Outside of the heap, because there are many. */
interface Segment {
  /** Ids of stores one after another, in their order. */
  ids: Buffer;
  /** Where the names of each store end in `text`. */
  ends: Uint32Array;
  /** The words of all stores, as UTF-8. */
  text: Buffer;
}

/**
 * The words of the names of stores in the memory of one process, to be found by any part of a word. Some 65 bytes for
 * each store.
 */
export class NameIndex {
  private readonly segments: Segment[] = [];
  private readonly recent = new Map<string, string>();

  /** How many names it has, those that were removed or replaced included. */
  get size(): number {
    return this.segments.reduce((sum, { ends }) => sum + ends.length, this.recent.size);
  }

  /** Forgets all names. */
  clear(): void {
    this.segments.length = 0;
    this.recent.clear();
  }

  /** Adds stores that it does not have, in the order of their ids. */
  add(stores: [id: string, words: string[]][]): void {
    if (stores.length > 0) this.segments.push(segmentOf(stores));
  }

  /** Replaces the words of a store; none removes it. */
  set(id: string, words: string[]): void {
    this.recent.delete(id);
    const key = bytesOf(id);
    for (const segment of this.segments) {
      const at = placeOf(segment, key);
      if (at !== undefined) segment.text.fill(0, startOf(segment, at), segment.ends[at]);
    }
    if (words.length === 0) return;
    this.recent.set(id, words.join(' '));
    if (this.recent.size < MAX_RECENT) return;
    const stores = [...this.recent].sort(([a], [b]) => (a < b ? -1 : 1));
    this.segments.push(segmentOf(stores.map(([store, text]) => [store, [text]])));
    this.recent.clear();
  }

  /**
   * Ids of the stores that have all of these words or parts of words, the newest segments first. It lets others work
   * between some segments.
   */
  async *find(parts: string[]): AsyncGenerator<string> {
    for (const [id, text] of this.recent) if (parts.every((part) => text.includes(part))) yield id;
    // The longest one occurs the least often.
    const wanted = parts
      .toSorted((a, b) => b.length - a.length)
      .map((part) => Buffer.from(part, 'utf8'));
    for (const [at, segment] of this.segments.toReversed().entries()) {
      if (at % SEGMENTS_AT_A_TIME === 0) await letOthersWork();
      // Most segments lack a rare part: they are not looked through store by store.
      if (wanted.every((part) => segment.text.includes(part))) yield* findIn(segment, wanted);
    }
  }
}

function segmentOf(stores: [id: string, words: string[]][]): Segment {
  const texts = stores.map(([, words]) => Buffer.from(`${words.join(' ')}\n`, 'utf8'));
  let end = 0;
  return {
    ids: Buffer.concat(stores.map(([id]) => bytesOf(id))),
    ends: Uint32Array.from(texts, ({ length }) => (end += length)),
    text: Buffer.concat(texts),
  };
}

function* findIn(segment: Segment, [first, ...others]: Buffer[]): Generator<string> {
  if (first === undefined) return;
  const { ids, ends, text } = segment;
  for (let from = text.indexOf(first); from >= 0;) {
    const at = storeAt(ends, from);
    const end = ends[at] ?? text.length;
    const words = text.subarray(startOf(segment, at), end);
    if (others.every((part) => words.includes(part))) {
      yield idOf(ids.subarray(at * ID_BYTES, (at + 1) * ID_BYTES));
    }
    from = text.indexOf(first, end);
  }
}

function startOf({ ends }: Segment, at: number): number {
  return at === 0 ? 0 : (ends[at - 1] ?? 0);
}

/** The first store whose names end after this byte. */
function storeAt(ends: Uint32Array, byte: number): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) > byte) high = middle;
    else low = middle + 1;
  }
  return low;
}

function placeOf({ ids, ends }: Segment, key: Buffer): number | undefined {
  let [low, high] = [0, ends.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = key.compare(ids, middle * ID_BYTES, (middle + 1) * ID_BYTES);
    if (order === 0) return middle;
    if (order < 0) high = middle - 1;
    else low = middle + 1;
  }
  return undefined;
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

function idOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Names that this process has read, and how far. */
export interface KnownNames {
  index: NameIndex;
  /** Id of the store that was read last; null once all were read. */
  filledTo: string | null;
  /** Changes of database transactions before this one were read; null before the first round. */
  xid: string | null;
  /** Changes of later ones that were read, by their number. */
  seen: Set<number>;
}

/** Before the id of every store. */
const NO_STORE = '00000000-0000-0000-0000-000000000000';

/** Nothing was read yet. */
export function noNames(): KnownNames {
  return { index: new NameIndex(), filledTo: NO_STORE, xid: null, seen: new Set() };
}
