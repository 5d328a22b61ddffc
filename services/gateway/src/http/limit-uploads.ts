/** Of one link: a phone that lost its connection begins again before the first one is given up. */
const MAX_UPLOADS_OF_LINK = 2;
/** Of all links in this process: each keeps at most 5 MB in memory. */
const MAX_UPLOADS = 50;

/**
 * Takes a place for a picture that is sent behind a link.
 * @returns gives the place back; undefined when there is none
 */
export type UploadLimit = (link: string) => (() => void) | undefined;

/** The number of pictures that arrive at the same time, in this process. */
export function createUploadLimit(): UploadLimit {
  const running = new Map<string, number>();
  let inAll = 0;
  return (link) => {
    const own = running.get(link) ?? 0;
    if (own >= MAX_UPLOADS_OF_LINK || inAll >= MAX_UPLOADS) return undefined;
    running.set(link, own + 1);
    inAll += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      inAll -= 1;
      const left = (running.get(link) ?? 1) - 1;
      if (left === 0) running.delete(link);
      else running.set(link, left);
    };
  };
}
