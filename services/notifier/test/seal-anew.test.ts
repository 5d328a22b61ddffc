import { putDataKeys } from '@fiado/chassis/keys/data-key-rows';
import { DataKeys, type DataKey } from '@fiado/chassis/keys/data-keys';
import { sealPages } from '@fiado/chassis/keys/reseal';
import { createWrappingKeys, type WrappingKeys } from '@fiado/chassis/keys/open-data-keys';
import { createSealer } from '@fiado/chassis/keys/sealing';
import { service } from '@fiado/chassis/testing/callers';
import { sealedColumns } from '@fiado/chassis/testing/sealed-columns';
import { SMS_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { SEALED_TABLES } from '../src/db/sealed-columns';
import {
  codeJob,
  deliver,
  messageRow,
  sendAll,
  startNotifier,
  startNotifierWithTwilio,
  type Notifier,
} from './support/notifier';

function keyNumbered(number: number): DataKey {
  return { kind: 'seal', number, secret: Buffer.alloc(32, number), isSealing: true };
}

/** Another key seals from now on, and the process knows it. */
async function rotate({ context: { db, dataKeys } }: Notifier, number: number): Promise<void> {
  const key = keyNumbered(number);
  await putDataKeys(db, [{ ...key, wrapped: dataKeys.wrapping.wrap(key) }]);
  await dataKeys.refresh();
}

describe('with the first key alone', () => {
  let notifier: Notifier;
  beforeAll(async () => {
    notifier = await startNotifier();
  });
  afterAll(() => notifier.stop());

  it('the list of sealed values has every sealed column of the schema', async () => {
    const { inSchema, inList } = await sealedColumns(notifier, SEALED_TABLES);
    expect(inList).toEqual(inSchema);
  });

  it('takes the keys of accounts, and tells that its processes have them', async () => {
    const { wrapping } = notifier.context.dataKeys;
    const send = (secret: WrappingKeys, isSealing: boolean) =>
      notifier.call(service('accounts'), 'POST', '/internal/data-keys', {
        body: {
          keys: [
            {
              kind: 'seal',
              number: 1,
              isSealing,
              wrapped: secret.wrap(keyNumbered(1)).toString('base64'),
            },
          ],
        },
      });
    // Of another ENCRYPTION_KEY: it is not taken.
    const foreign = createWrappingKeys({ current: 'another-encryption-key-0123456789-abcde' });
    expect((await send(foreign, false)).body).toMatchObject({ held: 0, sealing: 0 });
    expect((await send(wrapping, false)).body).toMatchObject({ held: 1, sealing: 0 });
    expect((await send(wrapping, true)).body).toMatchObject({ held: 1, sealing: 1, oldRows: 0 });
  });
});

it('a kept message is sealed anew, and one of a job that waited is stored with the newest key', async () => {
  const notifier = await startNotifier();
  const keyOf = async (id: string) => (await messageRow(notifier, id)).sealed?.readUInt32BE();
  const waiting = codeJob();
  const kept = await deliver(notifier);
  await rotate(notifier, 1);
  expect(await keyOf(kept)).not.toBe(1);
  expect(await keyOf(await deliver(notifier, waiting))).toBe(1);

  await notifier.rows(`UPDATE data_keys SET sealing_from = now() - interval '1 hour'`);
  await sealPages({ ...notifier.context, tables: SEALED_TABLES });
  expect(await keyOf(kept)).toBe(1);
  await notifier.stop();
});

it('an SMS whose key the process has not read yet waits, and is sent', async () => {
  const { notifier, twilio } = await startNotifierWithTwilio();
  const { sealer } = notifier.context;
  twilio.behaviours = [{ refuse: 429 }, 'accept'];
  const job = codeJob();
  const id = await deliver(notifier, job);
  expect((await messageRow(notifier, id)).status).toBe('pending');

  // Another process seals with key 1; this one reads it a moment later.
  const newer = new DataKeys();
  newer.take([keyNumbered(1)], Infinity);
  const text = sealer.open(Buffer.from(job.sealed, 'base64'), SMS_PURPOSE, job.subjectId);
  const sealed = createSealer(newer).seal(text, SMS_PURPOSE, job.subjectId);
  await notifier.rows('UPDATE messages SET sealed = $2, next_attempt_at = now() WHERE id = $1', [
    id,
    sealed,
  ]);
  await sendAll(notifier);
  expect(await messageRow(notifier, id)).toMatchObject({
    status: 'pending',
    status_reason: 'KEY_MISSING',
  });
  await rotate(notifier, 1);
  await notifier.rows('UPDATE messages SET next_attempt_at = now() WHERE id = $1', [id]);
  await sendAll(notifier);
  expect((await messageRow(notifier, id)).status).toBe('sent');
  await notifier.stop();
});
