import type { Response } from 'express';

/** Names that the header lists at most, and the characters that are kept of each. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 64;
/** Characters of the header: some proxies refuse an answer with more than 4 KiB of headers. */
const MAX_LENGTH = 1_000;

/** The fields and parameters of one request that its endpoint ignores. */
export class IgnoredFields {
  private readonly names = new Set<string>();

  /** @param path of a field; that of an item of a list counts once for all items */
  readonly note = (path: string): void => {
    if (this.names.size < MAX_NAMES) this.names.add(path.replaceAll(/\.\d+(?=\.)/g, ''));
  };

  /** Names them in the header `Fiado-Ignored`, separated by commas; without one there is no header. */
  setHeader(res: Response): void {
    if (this.names.size === 0) return;
    let list = '';
    for (const name of this.names) {
      const longer = (list === '' ? '' : `${list}, `) + headerText(name);
      if (longer.length > MAX_LENGTH) break;
      list = longer;
    }
    res.set('Fiado-Ignored', list);
  }
}

/** A name of a client as a header may hold it: other characters are percent-encoded. */
function headerText(name: string): string {
  // A character is at most two UTF-16 units.
  const kept = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH)).slice(0, MAX_NAME_LENGTH);
  return kept
    .join('')
    .replaceAll(/[^\w.-]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}
