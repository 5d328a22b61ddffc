import type { Database } from '@fiado/chassis/db/database';
import { Lane } from '@fiado/chassis/lanes/lane';
import {
  type FinishedAttempt,
  insertMessages,
  type NewMessage,
  storeAttempts,
} from './messages.sql';

/** What is written together: one statement for all that waits. */
export interface MessageLanes {
  /** Stores the messages of jobs. */
  newMessages: Lane<NewMessage, void>;
  /** Stores the outcomes of calls. */
  outcomes: Lane<FinishedAttempt, void>;
}

/** @param wipe whether phone and values are deleted from a final message */
export function createMessageLanes(db: Database, { wipe }: { wipe: boolean }): MessageLanes {
  return {
    newMessages: new Lane({
      name: 'insert-messages',
      run: async (messages) => {
        await insertMessages(db, messages);
        return messages.map(() => undefined);
      },
      // An SMS takes a second anyway, so a larger batch is worth more than an earlier one.
      inFlight: 1,
      tenantOf: ({ job }) => job.wholesalerId ?? '',
    }),
    outcomes: new Lane({
      name: 'store-attempts',
      run: async (attempts) => {
        await storeAttempts(db, attempts, wipe);
        return attempts.map(() => undefined);
      },
      inFlight: 1,
      // A call has its place in the sender already.
      tenantOf: ({ claimed }) => claimed.id,
    }),
  };
}
