import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsCount } from '@fiado/contracts/decorators';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { retireDataKey } from '../use-cases/retire-data-key';
import { rotateDataKey } from '../use-cases/rotate-data-key';
import { showDataKeys } from '../use-cases/show-data-keys';

const SERVICES = ['accounts', 'transactions', 'notifier'] as const;

export const showDataKeysEndpoint = endpoint({
  id: 'showDataKeys',
  tag: 'Credentials',
  route: 'GET /v1/admin/data-keys',
  scope: 'admin',
  summary: 'Show the keys that encrypt personal data',
  description: 'Their numbers, never the keys, and how far each service is with the newest.',
  answer: t.object('DataKeys', {
    dataKeys: t.listOf(
      t.object('DataKey', {
        dataKeyNumber: t.count,
        createdAt: t.timestamp,
        sealingFrom: t.nullable(t.timestamp),
      }),
    ),
    sealingServices: t.listOf(
      t.object('SealingService', {
        service: t.oneOf(SERVICES),
        heldNumber: t.decimal,
        sealingNumber: t.count,
        oldRows: t.count,
      }),
    ),
    missing: t.listOf(t.text),
  }),
  example: {
    dataKeys: [
      {
        dataKeyNumber: 1,
        createdAt: '2026-11-22T16:04:05.678Z',
        sealingFrom: '2026-11-22T16:04:35.678Z',
      },
    ],
    sealingServices: [{ service: 'accounts', heldNumber: 1, sealingNumber: 1, oldRows: 0 }],
    missing: [],
  },
  input: () => ({}),
  handle: (context: Context) => showDataKeys(context),
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

export const rotateDataKeyEndpoint = endpoint({
  id: 'rotateDataKey',
  tag: 'Credentials',
  route: 'POST /v1/admin/data-keys',
  scope: 'admin',
  summary: 'Make a new key for personal data',
  description:
    'Values are encrypted with it once every process has it, and existing values within hours. Until ' +
    'then the same key is returned. All processes must run this release.',
  status: 201,
  errors: ['TOO_MANY_DATA_KEYS'],
  answer: t.object('NewDataKey', { dataKeyNumber: t.count }),
  example: { dataKeyNumber: 1 },
  input: ({ caller: by }) => ({ by }),
  handle: (context: Context, input) => rotateDataKey(context, input),
  present: ({ number }) => ({ dataKeyNumber: number }),
});

/** Far above the number of any key. */
const MAX_NUMBER = 100_000;

class RetireDataKeyBody {
  /** The number of the key. */
  @IsCount(MAX_NUMBER)
  dataKeyNumber: number;
}

export const retireDataKeyEndpoint = endpoint({
  id: 'retireDataKey',
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
  handle: (context: Context, input) => retireDataKey(context, input),
  present: () => undefined,
});
