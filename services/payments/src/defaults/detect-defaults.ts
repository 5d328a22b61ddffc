import { Transform } from 'class-transformer';
import { IsDate, IsOptional } from '@fiado/contracts/class-validator';
import { isDatabaseUnavailable } from '@fiado/chassis/db/errors';
import { query } from '@fiado/chassis/db/query';
import { guardRow } from '@fiado/chassis/loop';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { ValidationError } from '@fiado/contracts/errors';
import { momentWithOffset } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { countOpenedDefaults } from '../metrics';
import {
  type ChangedDefaults,
  DEFAULTS_BATCH_SIZE,
  type DueReceivables,
  findDueReceivables,
  openDefaults,
  type OpenedDefault,
  publishDefaults,
} from './open-defaults';

/** Name of the loop that looks for defaults. */
export const DEFAULTS_LOOP = 'detect defaults';

/** Batches of one call: 20,000 defaults, which leaves a request far from its deadline of 10 s. */
const MAX_BATCHES = 40;

class DetectDefaultsBody {
  @About('Time as of which defaults are looked for; not in production', '2026-12-24T12:00:00.000Z')
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => momentOf(value))
  @IsDate({ message: 'asOf must be a real ISO 8601 timestamp with a zone' })
  asOf?: Date;
}

/** The moment of a timestamp; anything else stays as it is and fails its check. */
function momentOf(value: unknown): unknown {
  return typeof value === 'string' ? (momentWithOffset(value) ?? value) : value;
}

export const detectDefaultsEndpoint = endpoint({
  id: 'detectDefaults',
  as: 'defaults.detect',
  tag: 'Ops: payments',
  route: 'POST /v1/admin/defaults/detect',
  scope: 'operator',
  summary: 'Detect overdue debts now',
  description: 'A future `asOf` is accepted in a sandbox only. Without a body: now.',
  body: DetectDefaultsBody,
  bodyExample: { asOf: '2026-10-07T00:00:00Z' },
  bodyOptional: true,
  answer: t.object('DetectedDefaults', {
    opened: t.field(t.count, 'Number of defaults that were opened', 1),
  }),
  example: { opened: 3 },
  input: ({ body }) => body,
  handle: detectDefaults,
  present: ({ opened }) => ({ opened }),
});

interface DetectDefaults {
  /** Looked at for this moment; without it for the database's now. */
  asOf?: Date;
  /** Only the receivables of these orders. */
  transactionIds?: string[];
}

/**
 * Opens a default for each receivable that is past its payment date and not fully paid, and
 * publishes it. It works on the state of rows: a missed run does no harm, and concurrent runs open
 * each default once.
 * @returns how many were opened, and whether the call ended before all was looked at
 * @throws ValidationError for a moment in the future, which only a sandbox may look at
 */
export async function detectDefaults(
  context: Context,
  { asOf, transactionIds }: DetectDefaults = {},
): Promise<{ opened: number; more: boolean }> {
  if (asOf !== undefined) await requireAllowed(context, asOf);
  const failedIds: string[] = [];
  const due = {
    asOf: asOf ?? null,
    userId: null,
    transactionIds,
    limit: DEFAULTS_BATCH_SIZE,
    // Receivables that fail are added meanwhile.
    not: failedIds,
  };
  let opened = 0;
  let more = true;
  for (let batch = 0; more && batch < MAX_BATCHES; batch++) {
    const failedBefore = failedIds.length;
    const count = await openBatch(context, due).catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) throw error;
      return openOneByOne(context, due, failedIds);
    });
    opened += count;
    more = count === DEFAULTS_BATCH_SIZE || failedIds.length > failedBefore;
  }
  if (!more) {
    // Receivables that are still due were locked by payments, and the next run may be an hour
    // later.
    opened += await openOneByOne(context, due, failedIds);
  }
  if (opened > 0) context.log.info({ opened }, 'receivables are in default');
  return { opened, more };
}

async function requireAllowed(context: Context, asOf: Date): Promise<void> {
  if (context.config.FIADO_MODE === 'sandbox') return;
  const rows = await query(context.db, 'SELECT WHERE $1::timestamptz > now()', [asOf]);
  if (rows.length > 0) throw new ValidationError(['asOf must not be in the future']);
}

/** @returns how many defaults were opened */
async function openBatch(context: Context, due: DueReceivables): Promise<number> {
  const opened = await context.db.transaction(async (tx) => {
    const rows = await openDefaults(tx, due);
    await publishDefaults(tx, byCornerStore(rows));
    return rows;
  });
  countOpenedDefaults(opened.length);
  return opened.length;
}

/**
 * Opens the defaults of a batch that failed or that skipped locked receivables, each in its own
 * transaction, and waits for locks: one receivable that fails does not affect the others.
 * @returns how many were opened; adds to failedIds those that failed
 */
async function openOneByOne(
  context: Context,
  due: DueReceivables,
  failedIds: string[],
): Promise<number> {
  let opened = 0;
  for (const receivableId of await findDueReceivables(context.db, due)) {
    const isOpened = await guardRow(DEFAULTS_LOOP, { log: context.log, receivableId }, async () => {
      opened += await openBatch(context, { ...due, only: receivableId });
    });
    if (!isOpened) failedIds.push(receivableId);
  }
  return opened;
}

function byCornerStore(rows: OpenedDefault[]): ChangedDefaults[] {
  const changes = new Map<string, ChangedDefaults>();
  for (const { cornerStoreId, transactionId } of rows) {
    const change = changes.get(cornerStoreId) ?? { cornerStoreId, opened: [], closed: [] };
    change.opened.push(transactionId);
    changes.set(cornerStoreId, change);
  }
  return [...changes.values()];
}
