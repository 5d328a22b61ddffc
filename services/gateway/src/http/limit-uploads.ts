/** Of one link: a phone that lost its connection begins again before the first one is given up. */
const MAX_UPLOADS_OF_LINK = 2;
/** Of all links in this process: each keeps at most 5 MB in memory. */
const MAX_UPLOADS = 50;

/** Whose place a picture takes. */
export interface Upload {
  link: string;
  /** The wholesaler that made the link. */
  wholesalerId: string;
  /** The caller's, or its network. */
  address: string;
}

/**
 * Takes a place for a picture that is sent behind a link.
 * @returns gives the place back; undefined when there is none
 */
export type UploadLimit = (upload: Upload) => (() => void) | undefined;

/**
 * The number of pictures that arrive at the same time, in this process. A wholesaler and an address each
 * take a further place only while they have fewer than are left. So one alone takes half of them, two
 * take a third each, and whoever has none gets one of the last.
 */
export function createUploadLimit(): UploadLimit {
  const running = new Map<string, number>();
  let inAll = 0;
  const runningOf = (owner: string): number => running.get(owner) ?? 0;
  const add = (owner: string, places: number): void => {
    const left = runningOf(owner) + places;
    if (left === 0) running.delete(owner);
    else running.set(owner, left);
  };

  return ({ link, wholesalerId, address }) => {
    const sharers = [`wholesaler ${wholesalerId}`, `address ${address}`];
    const owners = [`link ${link}`, ...sharers];
    const free = MAX_UPLOADS - inAll;
    if (runningOf(`link ${link}`) >= MAX_UPLOADS_OF_LINK) return undefined;
    if (sharers.some((sharer) => runningOf(sharer) >= free)) return undefined;
    for (const owner of owners) add(owner, 1);
    inAll += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      inAll -= 1;
      for (const owner of owners) add(owner, -1);
    };
  };
}
