import { randomBytes } from 'node:crypto';

const KEY_BYTES = 24;

/** A new name of a document, which cannot be guessed and says nothing of its content. */
export function newDocumentKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}
