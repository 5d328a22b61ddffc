import { createHash, type Hash, randomUUID } from 'node:crypto';
import { query, queryOne, queryRow } from '../db/query';
import { Loop } from '../loop';
import { createGauge, type Reading } from '../metrics';
import type { Sample } from '../sampler';
import type { Timing } from '../timing';
import type { ExportKey, ExportsContext, ExportSource } from './exports';
import { fileWriter } from './file-writer';
import { openPart, sealPart } from './part';
import type { PeopleTotals } from './people-file';
import { wipeExports } from './wipe-exports';
import { StoredExportRow } from './export.entity';

const LOOP = 'exports';

/** Rows of one statement: some 10 ms of work, so that other requests of the process hardly wait. */
const PAGE_ROWS = 1_000;

/** Size of a part: it ends with the page that reaches this. While it is sealed it is in memory three times. */
const PART_BYTES = 8 * 1024 * 1024;

/** How long a process may be silent until another one writes the part. */
const LEASE_SECONDS = 60;
const RENEW_MS = 15_000;

/**
 * Attempts at one part, which count from their beginning. After a failure the next one waits twice as
 * long as before, at most five minutes: two hours of a store that does not answer. After one that killed
 * its process it waits for the end of the lease.
 */
const MAX_ATTEMPTS = 30;
const MAX_PAUSE_SECONDS = 300;

interface ClaimedExport extends Pick<
  StoredExportRow,
  'id' | 'kind' | 'format' | 'forPeople' | 'fromAt' | 'toAt' | 'wholesalerId' | 'attempts'
> {
  key: NonNullable<StoredExportRow['key']>;
  leaseId: NonNullable<StoredExportRow['leaseId']>;
  /** Parts that are written. */
  parts: number;
  /** Key of the last row of the last part. */
  lastKey: ExportKey | null;
  /** Sums up to the last part, of a file for people. */
  totals: PeopleTotals | null;
}

/** The export that this process is making, between two of its parts. */
interface OwnExport {
  id: string;
  /** Lease of the part that it wrote last. */
  leaseId: string;
  parts: number;
  /** Hash of the parts so far, so that the next part does not read them again. */
  hash: Hash;
}

/**
 * The loop that makes exports, a part in each round: a process that is killed loses one part, and any
 * process continues after the last one that is stored.
 */
export function exportLoop(context: ExportsContext & { timing: Timing }): Loop {
  const { log, timing } = context;
  return new Loop(log, { name: LOOP, everyMs: timing.exports, round: exportRounds(context) });
}

/**
 * The rounds of one process. It keeps an export until that ends or fails: another process would have to
 * read all parts again for the hash.
 * @returns a round, which returns whether it found an export
 */
export function exportRounds(context: ExportsContext): (stopping: AbortSignal) => Promise<boolean> {
  let own: OwnExport | undefined;
  return async (stopping) => {
    if (own === undefined && !(await hasWork(context))) return false;
    await wipeExports(context);
    await endSpentExports(context);
    const claimed = await claimExport(context, own);
    if (claimed === undefined) return false;
    if (claimed.forPeople && claimed.parts > 0 && claimed.totals === null) {
      await beginAnew(context, claimed);
      return true;
    }
    try {
      own = await writePart(context, claimed, { own, stopping });
    } catch (error) {
      const { id: exportId, attempts } = claimed;
      context.log.warn({ err: error, exportId, attempts }, 'export attempt failed');
      // If the database is unavailable, the lease expires.
      await recordFailure(context, claimed).catch(() => {});
      throw error;
    }
    return true;
  };
}

/**
 * Whether there is an export to make, or an expired one with parts to delete. Mostly there is none, and the iteration
 * is this one statement.
 */
async function hasWork({ db }: ExportsContext): Promise<boolean> {
  const { hasWork: isThere } = await queryOne<{ hasWork: boolean }>(
    db,
    `SELECT EXISTS (SELECT FROM exports WHERE status IN ('waiting', 'running'))
         OR EXISTS (SELECT FROM exports WHERE status <> 'expired' AND expires_at <= now())
         OR EXISTS (SELECT FROM export_parts
                     WHERE export_id IN (SELECT id FROM exports WHERE status = 'expired')) AS "hasWork"`,
  );
  return isThere;
}

/** Ends exports without an attempt left, whether the last one failed or killed its process. */
async function endSpentExports({ db, log }: ExportsContext): Promise<void> {
  const spent = await query<Pick<StoredExportRow, 'id' | 'attempts'>>(
    db,
    `UPDATE exports SET status = 'failed'
      WHERE status IN ('waiting', 'running') AND attempts >= $1
        AND (leased_until IS NULL OR leased_until < now())
      RETURNING id, attempts`,
    [MAX_ATTEMPTS],
  );
  for (const { id, attempts } of spent) log.error({ exportId: id, attempts }, 'export failed');
}

/** Claims the export of this process, or else the oldest one that no process works on. */
async function claimExport(
  { db }: ExportsContext,
  own: OwnExport | undefined,
): Promise<ClaimedExport | undefined> {
  return queryRow<ClaimedExport>(
    db,
    `UPDATE exports own
        SET status = 'running', lease_id = $1, attempts = attempts + 1,
            leased_until = now() + make_interval(secs => $2)
      WHERE id = (SELECT id FROM exports
                   WHERE status IN ('waiting', 'running') AND expires_at > now()
                     AND (leased_until IS NULL OR leased_until < now() OR lease_id = $3)
                   ORDER BY lease_id IS NOT DISTINCT FROM $3 DESC, id
                   LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, kind, format, for_people, from_at, to_at, wholesaler_id, key, lease_id, attempts,
        (SELECT count(*) FROM export_parts WHERE export_id = own.id) AS parts,
        (SELECT last_key FROM export_parts WHERE export_id = own.id
          ORDER BY number DESC LIMIT 1),
        (SELECT totals FROM export_parts WHERE export_id = own.id ORDER BY number DESC LIMIT 1)`,
    [randomUUID(), LEASE_SECONDS, own?.leaseId],
  );
}

/**
 * Writes the next part of an export, or ends it.
 * @returns the export while it has more parts; undefined also when the process has to stop, or was too slow
 */
async function writePart(
  context: ExportsContext,
  claimed: ClaimedExport,
  { own, stopping }: { own: OwnExport | undefined; stopping: AbortSignal },
): Promise<OwnExport | undefined> {
  const { db, exportFiles, exportSources } = context;
  const { id, kind, parts } = claimed;
  const source = exportSources[kind];
  if (source === undefined) throw new Error(`This build has no exports of ${kind}`);
  const mayContinue = leaseKeeper(context, claimed, stopping);
  const isOwn = own?.id === id && own.parts === parts;
  const before = isOwn ? own.hash : await hashOf(context, claimed, mayContinue);
  if (before === undefined) return undefined;

  const read = await readPart(context, claimed, { source, mayContinue });
  if (read === undefined) return undefined;
  const { bytes, rows, last, totals, isWhole } = read;
  const hash = before.copy().update(bytes);
  const part =
    bytes.length === 0
      ? undefined
      : {
          storageKey: await exportFiles.put(
            sealPart(bytes, { secret: claimed.key, exportId: id, number: parts }),
          ),
          sha256: createHash('sha256').update(bytes).digest(),
        };
  const isStored = await db.transaction(async (tx) => {
    const written = await query(
      tx,
      `UPDATE exports
          SET row_count = row_count + $3, byte_count = byte_count + $4,
              leased_until = now() + make_interval(secs => $6),
              attempts = 0, progressed_at = now(), sha256 = $5,
              status = CASE WHEN $5::bytea IS NULL THEN 'running' ELSE 'ready' END
        WHERE id = $1 AND lease_id = $2 AND status = 'running' RETURNING 1`,
      [
        id,
        claimed.leaseId,
        rows,
        bytes.length,
        isWhole ? hash.copy().digest() : null,
        // A process that stops gives the lease up, so that another one continues at once.
        isWhole || stopping.aborted ? null : LEASE_SECONDS,
      ],
    );
    if (written.length === 0) return false;
    if (part !== undefined) {
      await query(
        tx,
        `INSERT INTO export_parts (export_id, number, storage_key, byte_count, sha256, last_key, totals)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [id, parts, part.storageKey, bytes.length, part.sha256, last, totals],
      );
    }
    return true;
  });
  if (isStored)
    return isWhole ? undefined : { id, leaseId: claimed.leaseId, parts: parts + 1, hash };
  // Another process was faster, or the export has expired.
  if (part !== undefined) await exportFiles.remove(part.storageKey);
  return undefined;
}

/**
 * Drops the parts of a file for people when a process of the release before wrote the last one, in the form for
 * programs. Their files are swept.
 */
async function beginAnew({ db }: ExportsContext, { id, leaseId }: ClaimedExport): Promise<void> {
  await query(
    db,
    `WITH begun AS (
       UPDATE exports SET row_count = 0, byte_count = 0, attempts = 0, lease_id = NULL, leased_until = NULL
        WHERE id = $1 AND lease_id = $2 RETURNING id)
     DELETE FROM export_parts WHERE export_id IN (SELECT id FROM begun)`,
    [id, leaseId],
  );
}

interface ReadPart {
  bytes: Buffer;
  rows: number;
  last: ExportKey | null;
  totals: PeopleTotals | null;
  /** The export ends with it. */
  isWhole: boolean;
}

/** @returns undefined when the process may not continue: the next one reads the part again */
async function readPart(
  context: ExportsContext,
  claimed: ClaimedExport,
  { source, mayContinue }: { source: ExportSource; mayContinue: MayContinue },
): Promise<ReadPart | undefined> {
  const { parts, lastKey, wholesalerId, forPeople } = claimed;
  const file = fileWriter(context, claimed, source);
  const texts = parts === 0 ? [Buffer.from(file.beginning())] : [];
  let [size, rows, last] = [texts[0]?.length ?? 0, 0, lastKey];
  const range = {
    from: claimed.fromAt,
    to: claimed.toAt,
    wholesalerId: wholesalerId ?? undefined,
  };
  const options = { after: lastKey ?? undefined, limit: PAGE_ROWS, forPeople };
  const partOf = (isWhole: boolean): ReadPart => ({
    bytes: Buffer.concat(texts),
    rows,
    last,
    totals: file.totals(),
    isWhole,
  });
  for await (const page of readAhead(source.pages(context.db, range, options))) {
    const text = Buffer.from(await file.rows(page.rows));
    texts.push(text);
    size += text.length;
    rows += page.rows.length;
    last = page.last;
    if (size >= PART_BYTES) return partOf(false);
    if (!(await mayContinue())) return undefined;
  }
  texts.push(Buffer.from(await file.end()));
  return partOf(true);
}

/** Asks for the next page before one is worked on, so that the database and this process work at once. */
async function* readAhead<Page>(pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
  let next = pages.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = pages.next();
      // A failure is thrown by the next `await`. If the caller stops before, nobody needs the page.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await next.catch(() => {});
  }
}

/** Whether a process may continue with the part that it writes. */
type MayContinue = () => Promise<boolean>;

/** Renews the lease of a part when it is due, and ends it when the process has to stop. */
function leaseKeeper(
  context: ExportsContext,
  claimed: ClaimedExport,
  stopping: AbortSignal,
): MayContinue {
  let renewAtMs = performance.now() + RENEW_MS;
  return async () => {
    if (stopping.aborted) {
      await release(context, claimed);
      return false;
    }
    if (performance.now() < renewAtMs) return true;
    renewAtMs = performance.now() + RENEW_MS;
    return keepLease(context, claimed);
  };
}

/** @returns whether the part is still this process's to write */
async function keepLease({ db }: ExportsContext, { id, leaseId }: ClaimedExport): Promise<boolean> {
  const leasedUntil = () => `now() + make_interval(secs => ${LEASE_SECONDS})`;
  const own = { id, leaseId, status: 'running' } as const;
  const { affected } = await db.manager.update(StoredExportRow, own, { leasedUntil });
  return affected === 1;
}

async function release({ db }: ExportsContext, { id, leaseId }: ClaimedExport): Promise<void> {
  await db.manager.update(
    StoredExportRow,
    { id, leaseId, status: 'running' },
    { leasedUntil: null, attempts: () => 'attempts - 1' },
  );
}

/**
 * The hash of the parts that are stored, of an export that another process began.
 * @returns undefined when the process may not continue
 */
async function hashOf(
  { db, exportFiles }: ExportsContext,
  { id, key }: ClaimedExport,
  mayContinue: MayContinue,
): Promise<Hash | undefined> {
  const hash = createHash('sha256');
  const parts = await query<{ number: number; storageKey: string }>(
    db,
    'SELECT number, storage_key FROM export_parts WHERE export_id = $1 ORDER BY number',
    [id],
  );
  for (const { number, storageKey } of parts) {
    const sealed = await exportFiles.get(storageKey);
    hash.update(openPart(sealed, { secret: key, exportId: id, number }));
    if (!(await mayContinue())) return undefined;
  }
  return hash;
}

/** Records a failure: any process may try again after a pause. */
async function recordFailure({ db }: ExportsContext, failed: ClaimedExport): Promise<void> {
  const { id, leaseId, attempts } = failed;
  const seconds = Math.min(MAX_PAUSE_SECONDS, 2 ** Math.min(attempts, 10));
  await db.manager.update(
    StoredExportRow,
    { id, leaseId, status: 'running' },
    { leaseId: null, leasedUntil: () => `now() + make_interval(secs => ${seconds})` },
  );
}

const unfinishedExports = createGauge(
  'fiado_exports_unfinished',
  'Exports that wait or are being made',
  [],
);

const oldestExport = createGauge(
  'fiado_exports_stalled_seconds',
  'Time since the oldest unfinished export was requested or got its last part; 0 without one',
  [],
);

/** The gauges of a service's exports. */
export function exportsSample({ db }: Pick<ExportsContext, 'db'>): Sample {
  return {
    name: 'exports',
    read: async (): Promise<Reading[]> => {
      const row = await queryRow<{ count: number; seconds: number }>(
        db,
        `SELECT count(*) OVER () AS count,
                EXTRACT(EPOCH FROM now() - progressed_at)::float8 AS seconds
           FROM exports WHERE status IN ('waiting', 'running') ORDER BY id LIMIT 1`,
      );
      return [unfinishedExports({}, row?.count ?? 0), oldestExport({}, row?.seconds ?? 0)];
    },
  };
}
