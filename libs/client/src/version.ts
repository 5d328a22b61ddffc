/** As in package.json; a test compares. */
export const VERSION = '1.0.0';

const { process: node } = globalThis as { process?: { versions?: { node?: string } } };

/** Sent with each request, so that the lender sees which clients are in use. */
export const USER_AGENT = `fiado-client/${VERSION} node/${node?.versions?.node?.split('.')[0] ?? 'none'}`;
