import { v7 } from 'uuid';

/**
 * The id of a new row: a UUID of version 7 (RFC 9562), so that rows which are made one after another
 * lie side by side in an index, however many there are (ADR 13). Its time is nobody's to read: what
 * happened when is told by the database.
 */
export function newId(): string {
  return v7();
}
