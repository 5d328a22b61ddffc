import type { Database } from '../db/database';
import type { Logger } from '../logger';
import { Loop } from '../loop';
import { createSampler } from '../sampler';
import { createSealer } from '../sealing';
import type { OpenDataKeys, SealingSecret } from './open-data-keys';
import { createSealAnewLoop } from './seal-anew';
import { sealedSample } from './sealed-sample';
import type { SealedTable } from './sealed-tables';

/** How often each process reads the data keys, in milliseconds: twelve times while they are valid. */
const REFRESH_MS = 5_000;

/** How a service seals. */
export interface Sealing<Config, Context> {
  /** What wraps its data keys. */
  secret: (config: Config) => SealingSecret;
  /** Where its sealed values are. */
  tables: SealedTable[];
  /** Seals the file of a row with the newest key, for tables that have files. */
  sealFile?: (context: Context, rowId: string) => Promise<void>;
}

/** The loops that keep the data keys up to date, and values sealed with the newest. */
export function sealingLoops<Config, Context>(
  sealing: Sealing<Config, Context> | undefined,
  context: Context,
  {
    config,
    db,
    dataKeys,
    log,
  }: { config: Config; db: Database; dataKeys: OpenDataKeys; log: Logger },
): Loop[] {
  if (sealing === undefined) return [];
  const { secret, tables, sealFile } = sealing;
  const refresh = new Loop(log, {
    name: 'data keys',
    everyMs: REFRESH_MS,
    round: () => dataKeys.refresh(),
  });
  // While the way back to the previous release is open, nothing is bound to its row.
  if (!secret(config).bind) return [refresh];
  return [
    refresh,
    createSealAnewLoop({
      db,
      log,
      tables,
      sealer: createSealer(dataKeys.keys),
      sealFile: async (rowId) => sealFile?.(context, rowId),
    }),
    createSampler(sealedSample(db, tables), log),
  ];
}
