import { ValidationError } from '@fiado/contracts/errors';
import { eventIdOf, uuidOfEventId } from '@fiado/contracts/events';
import { pageOf } from '@fiado/contracts/page';
import { isUUID } from 'class-validator';
import type { Context } from '../context';
import { findEvents, findPosition, type ListedEvent } from '../db/events.repository';
import { typesNamedBy } from '../domain/event-pattern';

export interface ListEvents {
  ownerId: string;
  /** A type, or a pattern such as `transaction.*`. */
  type: string | undefined;
  from: Date | undefined;
  to: Date | undefined;
  /** Id of an event: those after it are listed. */
  cursor: string | undefined;
  limit: number;
}

/**
 * A page of an owner's events, oldest first. An event never appears before one that a reader has
 * already seen, so the id of the last event is where to go on.
 * @throws ValidationError for a cursor that names no event of the last 30 days
 */
export async function listEvents(
  { db }: Pick<Context, 'db'>,
  { ownerId, type, from, to, cursor, limit }: ListEvents,
): Promise<{ page: ListedEvent[]; nextCursor: string | null }> {
  const found = await findEvents(db, {
    ownerId,
    types: type === undefined ? undefined : typesNamedBy(type),
    from,
    to,
    afterPosition: cursor === undefined ? undefined : await positionOf({ db }, ownerId, cursor),
    limit: limit + 1,
  });
  return pageOf(found, limit, ({ id }) => eventIdOf(id));
}

async function positionOf(
  { db }: Pick<Context, 'db'>,
  ownerId: string,
  cursor: string,
): Promise<number> {
  const id = uuidOfEventId(cursor);
  const position = isUUID(id) ? await findPosition(db, ownerId, id as string) : undefined;
  if (position !== undefined) return position;
  // An empty page would look like the end of the list for ever.
  throw new ValidationError(['cursor must be the id of an event of the last 30 days']);
}
