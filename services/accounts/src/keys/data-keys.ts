import { randomBytes } from 'node:crypto';
import { query, queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { readDataKeys } from '@fiado/chassis/keys/data-key-rows';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { MAX_DATA_KEYS, type SealingStatus } from '@fiado/contracts/data-keys';
import { IsCount } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { askSealing } from './spread-data-keys';

const SERVICES = ['accounts', 'transactions', 'notifier'] as const;

export const showDataKeysEndpoint = endpoint({
  id: 'showDataKeys',
  as: 'dataKeys.show',
  tag: 'Credentials',
  route: 'GET /v1/admin/data-keys',
  scope: 'admin',
  summary: 'Show the keys that encrypt personal data',
  description: 'Their numbers, never the keys, and how far each service is with the newest.',
  answer: t.object('DataKeys', {
    dataKeys: t.list(
      t.object('DataKey', {
        dataKeyNumber: t.field(t.count, 'Number of the data key', 1),
        createdAt: fields.createdAt,
        sealingFrom: t.timeOrNull(
          'Time from which values are encrypted with it',
          '2026-11-22T16:04:35.678Z',
        ),
      }),
      'Data keys that are not retired, newest first',
    ),
    sealingServices: t.list(
      t.object('SealingService', {
        service: t.field(t.oneOf(SERVICES), 'Service that was checked'),
        heldNumber: t.field(t.decimal, 'Newest data key that all its processes have', 1),
        sealingNumber: t.field(t.count, 'Data key that it encrypts with', 1),
        oldRows: t.field(
          t.count,
          'Rows that may hold values of an older data key, at most 100,000 of a table',
          0,
        ),
      }),
      'How far each service is with the newest data key',
    ),
    missing: t.list(t.text, 'Services that did not answer, so that their part is not here'),
  }),
  example: { dataKeys: [{ createdAt: '2026-11-22T16:04:05.678Z' }] },
  input: () => ({}),
  // The data keys that are not retired, newest first, and how far each service is.
  handle: async (context: Context) => {
    const dataKeys = await query<ShownDataKey>(
      context.db,
      `SELECT number, created_at, sealing_from FROM data_keys
        WHERE kind = 'seal' AND retired_at IS NULL ORDER BY number DESC LIMIT $1`,
      [MAX_DATA_KEYS],
    );
    return { dataKeys, ...(await askSealing(context)) };
  },
  present: ({ dataKeys, services, missing }) => ({
    dataKeys: dataKeys.map(({ number, createdAt, sealingFrom }) => ({
      dataKeyNumber: number,
      createdAt: createdAt.toISOString(),
      sealingFrom: sealingFrom?.toISOString() ?? null,
    })),
    sealingServices: services.map(({ service, status }) => ({
      service,
      heldNumber: status.held,
      sealingNumber: status.sealing,
      oldRows: status.oldRows,
    })),
    missing,
  }),
});

interface ShownDataKey {
  number: number;
  createdAt: Date;
  /** Null until it seals. */
  sealingFrom: Date | null;
}

/** Length of a key of AES-256. */
const KEY_BYTES = 32;

export const rotateDataKeyEndpoint = endpoint({
  id: 'rotateDataKey',
  as: 'dataKeys.rotate',
  tag: 'Credentials',
  route: 'POST /v1/admin/data-keys',
  scope: 'admin',
  summary: 'Make a new key for personal data',
  description:
    'Values are encrypted with it once every process has it, and existing values within hours. Until ' +
    'then the same key is returned. All processes must run this release.',
  status: 201,
  errors: ['TOO_MANY_DATA_KEYS'],
  answer: t.object('NewDataKey', { dataKeyNumber: t.field(t.count, 'Number of the data key', 1) }),
  input: ({ caller: by }) => ({ by }),
  // Makes a data key, unless the newest does not seal yet. Values are sealed with it once all
  // processes of all services open it.
  handle: ({ db, dataKeys }: Context, { by }) => {
    return db.transaction(async (tx) => {
      const keys = (await readDataKeys(tx)).filter(({ kind }) => kind === 'seal');
      const newest = keys.at(-1);
      if (newest === undefined) throw new Error('There is no data key');
      if (!newest.isSealing) return { number: newest.number };
      if (keys.filter(({ wrapped }) => wrapped !== null).length >= MAX_DATA_KEYS) {
        throw new AppError('TOO_MANY_DATA_KEYS');
      }
      const key = { kind: 'seal' as const, number: newest.number + 1 };
      const wrapped = dataKeys.wrapping.wrap({ ...key, secret: randomBytes(KEY_BYTES) });
      // Another request may have made it meanwhile.
      const made = await queryRow<{ number: number }>(
        tx,
        `INSERT INTO data_keys (kind, number, wrapped) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING RETURNING number`,
        [key.kind, key.number, wrapped],
      );
      if (made === undefined) return { number: key.number };
      await recordAudit(tx, { by, action: 'data-key.rotated', objectId: null, details: made });
      return made;
    });
  },
  present: ({ number }) => ({ dataKeyNumber: number }),
});

/** Far above the number of any key. */
const MAX_NUMBER = 100_000;

/**
 * How long after a newer key seals an older one is still needed, in days: a job is executed for 28 days
 * (ADR 21) and a kept answer is replayed for one.
 */
const SEALED_JOB_DAYS = 30;

const DAY_MS = 24 * 60 * 60 * 1_000;

class RetireDataKeyBody {
  @About('Number of the data key', 1)
  @IsCount(MAX_NUMBER)
  dataKeyNumber: number;
}

export const retireDataKeyEndpoint = endpoint({
  id: 'retireDataKey',
  as: 'dataKeys.retire',
  tag: 'Credentials',
  route: 'POST /v1/admin/data-keys/retire',
  scope: 'admin',
  summary: 'Delete an old key for personal data',
  description:
    'Possible once no row needs it, and 30 days after a newer key came into use. It cannot be undone.',
  body: RetireDataKeyBody,
  bodyExample: { dataKeyNumber: 0 },
  errors: ['DATA_KEY_NOT_FOUND', 'DATA_KEY_IN_USE'],
  answer: t.noContent,
  input: ({ body, caller: by }) => ({ by, number: body.dataKeyNumber }),
  // Deletes a data key: nothing that it sealed can be opened any more.
  handle: async (context: Context, { by, number }) => {
    const { db, clock, dataKeys } = context;
    const known = (await readDataKeys(db)).some(
      (key) => key.kind === 'seal' && key.number === number && key.wrapped !== null,
    );
    if (!known) throw new AppError('DATA_KEY_NOT_FOUND');
    const before = clock.now().getTime() - SEALED_JOB_DAYS * DAY_MS;
    const isFree = ({ held, sealing, sealingSince, oldRows }: SealingStatus): boolean =>
      sealing > number &&
      held >= sealing &&
      oldRows === 0 &&
      new Date(sealingSince).getTime() < before;
    if (!isFree(await dataKeys.status())) throw new AppError('DATA_KEY_IN_USE');
    const { services, missing } = await askSealing(context);
    if (missing.length > 0) throw new AppError('SERVICE_UNAVAILABLE');
    if (!services.every(({ status }) => isFree(status))) throw new AppError('DATA_KEY_IN_USE');
    await db.transaction(async (tx) => {
      const retired = await query(
        tx,
        `UPDATE data_keys SET wrapped = NULL, retired_at = now()
          WHERE kind = 'seal' AND number = $1 AND retired_at IS NULL RETURNING number`,
        [number],
      );
      if (retired.length === 0) throw new AppError('DATA_KEY_NOT_FOUND');
      await recordAudit(tx, {
        by,
        action: 'data-key.retired',
        objectId: null,
        details: { number },
      });
    });
  },
  present: () => undefined,
});
