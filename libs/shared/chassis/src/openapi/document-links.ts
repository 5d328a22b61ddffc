import type { Operation } from './operation';

/** Whom a document is for. */
export type Readers = 'integrators' | 'ops';

/** The names of the documents in the addresses of `/docs`. */
export const DOCUMENT_SLUGS: Record<Readers, string> = { integrators: 'api', ops: 'admin' };

/** Links to parts of a document, as the page `/docs` shows it. */
export function documentLinks(readers: Readers) {
  const slug = DOCUMENT_SLUGS[readers];
  return {
    errors: `#${slug}/description/errors`,
    /** @param path in the document: `/transaction/{transactionId}` */
    operation: ({ tag, method, path }: Pick<Operation, 'tag'> & { method: string; path: string }) =>
      `#${slug}/tag/${tag.toLowerCase().replaceAll(/\W+/g, '-')}/${method.toUpperCase()}${path}`,
  };
}
