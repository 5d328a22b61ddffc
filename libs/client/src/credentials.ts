/** A token is replaced when this share of its life has passed. */
const REFRESH_AT = 0.8;

interface Token {
  accessToken: string;
  /** Seconds. */
  expiresIn: number;
}

/** The value of the Authorization header. */
export interface Credentials {
  header(): Promise<string>;
  /** Called after a 401. @returns whether a new header may succeed */
  refused(header: string): boolean;
}

/** The key itself. */
export function keyCredentials(apiKey: string): Credentials {
  return { header: () => Promise.resolve(`Bearer ${apiKey}`), refused: () => false };
}

/**
 * Access tokens in place of the key. Calls at the same time wait for one token.
 * @param issue exchanges the key for a token
 */
export function tokenCredentials(issue: () => Promise<Token>): Credentials {
  let current: { header: string; refreshAt: number } | undefined;
  let coming: Promise<string> | undefined;

  const renew = async (): Promise<string> => {
    const startedAt = Date.now();
    const { accessToken, expiresIn } = await issue();
    const header = `Bearer ${accessToken}`;
    current = { header, refreshAt: startedAt + expiresIn * 1_000 * REFRESH_AT };
    return header;
  };

  return {
    header: () => {
      if (current !== undefined && Date.now() < current.refreshAt) {
        return Promise.resolve(current.header);
      }
      coming ??= renew().finally(() => (coming = undefined));
      return coming;
    },
    refused: (header) => {
      if (current?.header === header) current = undefined;
      return true;
    },
  };
}
