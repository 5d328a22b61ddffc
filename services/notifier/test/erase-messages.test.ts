import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/chassis/testing/callers';
import type { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { until } from '@fiado/chassis/testing/until';
import type { SendMessage } from '@fiado/contracts/jobs/send-message';
import { type ErasurePhase, personErase, type PersonErased } from '@fiado/contracts/jobs/privacy';
import { deleteProviderCopies } from '../src/messages/delete-provider-copies';
import { storeAttempts } from '../src/messages/messages.sql';
import { recordDeliveryStatus } from '../src/messages/receive-twilio-callback';
import {
  codeJob,
  deliver,
  messageRow,
  type Notifier,
  sendAll,
  startNotifierWithTwilio,
} from './support/notifier';

let notifier: Notifier;
let twilio: TwilioStandIn;

beforeAll(async () => {
  ({ notifier, twilio } = await startNotifierWithTwilio());
});
beforeEach(async () => {
  await notifier.rows('DELETE FROM provider_copies');
  twilio.reset();
});
afterAll(() => notifier.stop());

/** A phone of its own, so that no other test's messages are of the same person. */
function newPhone(): string {
  return `+5255${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
}

async function erase(
  { phoneIndex }: SendMessage,
  phase: ErasurePhase,
  by: 'handle' | 'deliver' = 'handle',
): Promise<string> {
  const erasureId = randomUUID();
  await notifier[by](
    personErase,
    { id: erasureId, version: 1 },
    {
      erasureId,
      phase,
      userId: randomUUID(),
      cornerStoreId: randomUUID(),
      phoneIndexes: [phoneIndex],
      objectIds: [],
      nameKey: '',
    },
  );
  return erasureId;
}

async function hasAnswered(erasureId: string): Promise<boolean> {
  const jobs = await notifier.outbox('person.erased');
  return jobs.some(({ data }) => (data as PersonErased).erasureId === erasureId);
}

/** A round, as if every pause were over. The loop may have a call under way, which is then not made twice. */
async function deleteCopies(): Promise<void> {
  await notifier.rows('UPDATE provider_copies SET next_attempt_at = now()');
  await deleteProviderCopies(notifier.context);
}

function untilDeleted(): Promise<void> {
  return until('the provider has no copy', async () => {
    await deleteCopies();
    return (await copies()).length === 0;
  });
}

const copies = (): Promise<Array<{ message_id: string; sid: string | null }>> =>
  notifier.rows('SELECT message_id, sid FROM provider_copies ORDER BY message_id');

async function sidOf(id: string): Promise<string> {
  return (await messageRow(notifier, id)).provider_sid ?? 'none';
}

test('a block deletes the copies at Twilio of the messages to this person, and no other', async () => {
  const job = codeJob({ phone: newPhone() });
  const ids = [await deliver(notifier, job), await deliver(notifier, job)];
  await deliver(notifier, codeJob({ phone: newPhone() }));
  const sids = await Promise.all(ids.map(sidOf));

  await erase(job, 'block');
  await untilDeleted();

  expect(new Set(twilio.deletions)).toEqual(new Set(sids));
  // The suppression deletes the messages; Twilio has no such copy any more.
  await erase(job, 'suppress');
  await untilDeleted();
});

test('a call in vain holds no erasure back, and is repeated until Twilio has no copy', async () => {
  const job = codeJob({ phone: newPhone() });
  const sid = await sidOf(await deliver(notifier, job));
  twilio.deletionStatus = 500;

  const erasureId = await erase(job, 'block');
  await deleteCopies();
  expect(await hasAnswered(erasureId)).toBe(true);
  await erase(job, 'suppress');
  await deleteCopies();
  expect(await copies()).toEqual([{ message_id: expect.any(String), sid }]);

  twilio.deletionStatus = 404;
  await untilDeleted();
  expect(new Set(twilio.deletions)).toEqual(new Set([sid]));
});

test('the copy of a message whose outcome is unknown is deleted once Twilio reports it', async () => {
  twilio.behaviours = ['accept-then-500'];
  const job = codeJob({ phone: newPhone() });
  const id = await deliver(notifier, job);

  await erase(job, 'block');
  await deleteCopies();
  expect(await copies()).toEqual([{ message_id: id, sid: null }]);

  const sid = `SM${'a'.repeat(32)}`;
  await recordDeliveryStatus(notifier.context, {
    messageId: id,
    sid,
    messageStatus: 'delivered',
  });
  await untilDeleted();
  expect(twilio.deletions).toContain(sid);
});

test('nothing is asked for a message that Twilio never had', async () => {
  twilio.behaviours = [{ refuse: 400, code: 21211 }];
  const job = codeJob({ phone: newPhone() });
  await deliver(notifier, job);
  await erase(job, 'block');
  expect(await copies()).toEqual([]);
});

test('an unknown message to a person who is blocked meanwhile is not sent again', async () => {
  twilio.behaviours = ['accept-then-500'];
  const job = codeJob({ phone: newPhone() });
  const id = await deliver(notifier, job);
  await erase(job, 'block');
  // Still unknown: Twilio may report it, and its copy there is to be deleted.
  expect(await messageRow(notifier, id)).toMatchObject({ status: 'unknown', sealed: null });

  twilio.reset();
  const resent = await notifier.call(ops('operator'), 'POST', '/v1/admin/messages/resend', {
    body: { status: 'unknown', since: '2020-01-01' },
  });
  expect(resent.body).toEqual({ unknown: 0, resent: 0, nextCursor: null });
  await sendAll(notifier);
  expect(twilio.posts).toEqual([]);
});

/** A message whose call to Twilio is under way: this test ends the call itself. */
async function sendingMessage(job: SendMessage): Promise<string> {
  twilio.behaviours = [{ refuse: 429, retryAfter: '60' }];
  const id = await deliver(notifier, job);
  twilio.reset();
  await notifier.rows(
    `UPDATE messages SET status = 'sending', claimed_until = now() + interval '30 seconds'
      WHERE id = $1 AND status = 'pending'`,
    [id],
  );
  expect(await messageRow(notifier, id)).toMatchObject({ status: 'sending', attempts: 1 });
  return id;
}

test('a message that was being sent at the block is not tried again', async () => {
  const job = codeJob({ phone: newPhone() });
  const id = await sendingMessage(job);
  await erase(job, 'block');
  const claimed = { id, attempt: 1, startedAt: new Date() };
  const outcome = { status: 'pending', reason: '429', retryInMs: 0 } as const;
  await storeAttempts(notifier.context.db, [{ claimed, outcome }], true);
  const ended = { status: 'expired', status_reason: 'BLOCKED', sealed: null };
  expect(await messageRow(notifier, id)).toMatchObject(ended);
});

test('a suppression waits until a message is no longer being sent, and leaves nothing of it', async () => {
  const job = codeJob({ phone: newPhone() });
  const id = await sendingMessage(job);
  const sid = `SM${'b'.repeat(32)}`;

  // The queue tries it again.
  const erasing = erase(job, 'suppress', 'deliver');
  await until('the message cannot be tried again', async () => {
    return (await messageRow(notifier, id)).sealed === null;
  });
  expect(await messageRow(notifier, id)).toMatchObject({ status: 'sending' });
  const claimed = { id, attempt: 1, startedAt: new Date() };
  await storeAttempts(notifier.context.db, [{ claimed, outcome: { status: 'sent', sid } }], true);

  expect(await hasAnswered(await erasing)).toBe(true);
  expect(await notifier.rows('SELECT status FROM messages WHERE id = $1', [id])).toEqual([]);
  await untilDeleted();
  expect(twilio.deletions).toContain(sid);
});

test('a suppression that meets the end of a call has its copy deleted', async () => {
  const job = codeJob({ phone: newPhone() });
  const id = await sendingMessage(job);
  const sid = `SM${'c'.repeat(32)}`;
  const claimed = { id, attempt: 1, startedAt: new Date() };
  // As after an earlier try of the suppression.
  await notifier.rows('UPDATE messages SET sealed = NULL WHERE id = $1', [id]);
  let erasing: Promise<string> | undefined;
  await notifier.context.db.transaction(async (tx) => {
    await storeAttempts(tx, [{ claimed, outcome: { status: 'sent', sid } }], true);
    erasing = erase(job, 'suppress');
    await until('the suppression waits for the message', async () => {
      const waiting = await notifier.rows(
        `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%isSending%'`,
      );
      return waiting.length > 0;
    });
  });

  expect(await hasAnswered((await erasing) ?? '')).toBe(true);
  await untilDeleted();
  expect(twilio.deletions).toContain(sid);
});
