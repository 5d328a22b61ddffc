import { query } from '@fiado/chassis/db/query';
import { readDataKeys } from '@fiado/chassis/keys/data-key-rows';
import { type SealingStatus, takeDataKeysCall } from '@fiado/contracts/data-keys';
import type { Context } from '../context';
import { answersOf } from '../ops-views/ask-services';

/**
 * Sends the data keys to the other services, and lets the newest seal once all processes open it. Until the first rotation there is nothing to send, because each service derives key 0.
 * @returns whether the newest key seals from now on
 */
export async function spreadDataKeys(context: Context): Promise<boolean> {
  const { db, log } = context;
  const newest = (await readDataKeys(db)).filter(({ kind }) => kind === 'seal').at(-1);
  if (newest === undefined || newest.number === 0) return false;
  const { services, missing } = await askSealing(context);
  if (newest.isSealing || missing.length > 0) return false;
  if (services.some(({ status }) => status.held < newest.number)) return false;
  await query(
    db,
    `UPDATE data_keys SET sealing_from = now()
      WHERE kind = 'seal' AND number = $1 AND sealing_from IS NULL`,
    [newest.number],
  );
  log.info({ dataKey: newest.number }, 'values are sealed with a new data key');
  return true;
}

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
