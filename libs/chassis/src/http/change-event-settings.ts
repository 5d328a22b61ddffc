import { eventSettingsCall } from '@fiado/contracts/event-settings';
import type { Database } from '../db/database';
import { query } from '../db/query';
import { internalEndpoint } from './endpoint';

/**
 * The notifier calls it on every service that publishes events. Once it has answered, no event of
 * the owner is lost: each statement that writes an event reads the table in its own snapshot.
 */
export const changeEventSettingsEndpoint = internalEndpoint({
  call: eventSettingsCall,
  allow: ['service:notifier'],
  handle: async ({ db }: { db: Database }, settings) => {
    const { ownerId, ownerKind, enabled } = settings;
    if (enabled) {
      await query(
        db,
        `INSERT INTO event_owners (owner_id, owner_kind) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
        [ownerId, ownerKind],
      );
    } else {
      await query(db, 'DELETE FROM event_owners WHERE owner_id = $1', [ownerId]);
    }
    return { enabled };
  },
});
