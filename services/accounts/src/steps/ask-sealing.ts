import { takeDataKeysCall, type SealingStatus } from '@fiado/contracts/data-keys';
import { readDataKeys } from '@fiado/chassis/keys/data-key-rows';
import type { Context } from '../context';
import { answersOf } from './ask-services';

/** Services that seal, and how far each is. */
export interface Sealing {
  services: { service: 'accounts' | 'transactions' | 'notifier'; status: SealingStatus }[];
  /** Those that do not answer. */
  missing: string[];
}

/** Sends all data keys to the other services that seal. @returns how far each service is */
export async function askSealing(context: Context): Promise<Sealing> {
  const { db, dataKeys, transactions, messages } = context;
  const keys = (await readDataKeys(db)).map(({ wrapped, ...key }) =>
    Object.assign({}, key, wrapped === null ? {} : { wrapped: wrapped.toString('base64') }),
  );
  const { answers, missing } = await answersOf(context, {
    transactions: transactions.ask(takeDataKeysCall, { keys }),
    // Not the client for SMS budgets: a count of rows may take longer.
    notifier: messages.ask(takeDataKeysCall, { keys }),
  });
  return {
    services: [
      { service: 'accounts', status: await dataKeys.status() },
      ...answers.map(({ service, answer }) => ({
        service: service as 'transactions' | 'notifier',
        status: answer,
      })),
    ],
    missing,
  };
}
