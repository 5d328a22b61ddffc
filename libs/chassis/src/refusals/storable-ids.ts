import { isUUID } from 'class-validator';
import { TEXT_FIELDS, UUID_FIELDS, type NamedIds } from './refusal';

/** Longer ids of a wholesaler are cut, in characters. */
const MAX_TEXT_ID = 100;

/** The ids of a refused change as they are kept: an id of ours must be a UUID, another's is cut. */
export function storableIds(named: NamedIds): NamedIds {
  const ids: NamedIds = {};
  for (const field of UUID_FIELDS) {
    const id = named[field];
    if (isUUID(id)) ids[field] = id as string;
  }
  for (const field of TEXT_FIELDS) {
    const id = named[field];
    if (id !== undefined) ids[field] = storableText(id.slice(0, MAX_TEXT_ID));
  }
  return ids;
}

/** Postgres stores neither a NUL nor half of a surrogate pair, and one bad text would stop a batch. */
function storableText(text: string): string {
  return Buffer.from(text.replaceAll('\0', '')).toString();
}
