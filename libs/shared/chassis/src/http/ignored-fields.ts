import type { Response } from 'express';

/** Names that the header lists at most, and the characters that are kept of each. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 64;

/** The fields and parameters of one request that its endpoint ignores. */
export class IgnoredFields {
  private readonly names = new Set<string>();

  /** @param path of a field; that of an item of a list counts once for all items */
  readonly note = (path: string): void => {
    if (this.names.size < MAX_NAMES) this.names.add(path.replaceAll(/\.\d+(?=\.)/g, ''));
  };

  /** Names them in the header `Fiado-Ignored`, separated by commas; without one there is no header. */
  setHeader(res: Response): void {
    if (this.names.size > 0)
      res.set('Fiado-Ignored', Array.from(this.names, headerText).join(', '));
  }
}

/** A name of a client as a header may hold it: other characters are percent-encoded. */
function headerText(name: string): string {
  const kept = Array.from(name).slice(0, MAX_NAME_LENGTH).join('');
  return kept.replaceAll(/[^\w.-]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}
