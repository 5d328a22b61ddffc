import { randomUUID } from 'node:crypto';
import { provider, wholesaler } from '@fiado/chassis/testing/callers';
import { announceEvent } from '@fiado/contracts/jobs/announce-event';
import { JsonText } from '@fiado/contracts/json-text';
import { forAllTests } from '../../../test/support/for-all-tests';
import { announce } from './support/events';
import { startNotifier } from './support/notifier';

const notifier = forAllTests(startNotifier);

const list = (caller = wholesaler(), query = '') =>
  notifier.call(caller, 'GET', `/v1/events${query}`);

test('lists the events of the caller alone, oldest first', async () => {
  const caller = wholesaler();
  await announce(notifier, wholesaler());
  const events = [
    await announce(notifier, caller),
    await announce(notifier, caller, { type: 'transaction.paid' }),
    await announce(notifier, caller, { type: 'payment.applied' }),
  ];

  expect((await list(caller)).body).toEqual({ events, nextCursor: null });
  expect((await list(caller, '?type=transaction.*')).body.events).toEqual(events.slice(0, 2));
  expect((await list(caller, '?type=payment.applied')).body.events).toEqual(events.slice(2));
  expect((await list()).body).toEqual({ events: [], nextCursor: null });
});

test('a provider has its own events', async () => {
  const caller = provider('Banco');
  const event = await announce(notifier, caller);
  expect((await list(caller)).body.events).toEqual([event]);
});

test('pages follow each other, and later events follow the last one', async () => {
  const caller = wholesaler();
  const events = [];
  for (let i = 0; i < 3; i += 1) events.push(await announce(notifier, caller));
  const first = (await list(caller, '?limit=2')).body;
  expect(first).toEqual({ events: events.slice(0, 2), nextCursor: events[1]?.id });
  const second = (await list(caller, `?limit=2&cursor=${first.nextCursor}`)).body;
  expect(second).toEqual({ events: events.slice(2), nextCursor: null });

  const later = await announce(notifier, caller);
  expect((await list(caller, `?cursor=${events[2]?.id}`)).body.events).toEqual([later]);
});

test('a time range names the moments at which events happened', async () => {
  const caller = wholesaler();
  const event = await announce(notifier, caller, { occurredAt: new Date('2026-03-10T12:00:00Z') });
  expect((await list(caller, '?from=2026-03-10&to=2026-03-11')).body.events).toEqual([event]);
  expect((await list(caller, '?from=2026-03-11')).body.events).toEqual([]);
  expect((await list(caller, '?to=2026-03-10T12:00:00Z')).body.events).toEqual([]);
});

test('a number is listed with the digits that it was sent with', async () => {
  const caller = wholesaler();
  const metadata = new JsonText('{"folio":12345678901234567890}');
  await announce(notifier, caller, { data: { metadata } });
  expect((await list(caller)).text).toContain('"folio":12345678901234567890');
});

test('an event that is announced again is stored once', async () => {
  const caller = wholesaler();
  const id = randomUUID();
  const job = {
    ownerKind: 'wholesaler' as const,
    ownerId: caller.id,
    type: 'transaction.created' as const,
    subjectId: randomUUID(),
    subjectVersion: 1,
    body: JSON.stringify({
      id: `evt_${id}`,
      type: 'transaction.created',
      timestamp: '2026-03-10T12:00:00.000Z',
      data: {},
    }),
  };
  await notifier.deliver(announceEvent, { id: job.subjectId, version: 1 }, job, id);
  await notifier.context.queues
    .queue('notifier')
    .getJob(id)
    .then((done) => done?.remove());
  await notifier.deliver(announceEvent, { id: job.subjectId, version: 1 }, job, id);
  expect((await list(caller)).body.events).toHaveLength(1);
});

test('a job whose body is another event is refused', async () => {
  const job = {
    ownerKind: 'wholesaler' as const,
    ownerId: randomUUID(),
    type: 'transaction.created' as const,
    subjectId: randomUUID(),
    subjectVersion: 1,
    body: JSON.stringify({ id: `evt_${randomUUID()}`, type: 'transaction.created' }),
  };
  await expect(
    notifier.deliver(announceEvent, { id: job.subjectId, version: 1 }, job),
  ).rejects.toThrow('with the id of the job');
});

test.each(['?type=lottery', '?from=yesterday', `?cursor=evt_${randomUUID()}`, '?limit=101'])(
  '%s is a 400',
  async (query) => {
    expect((await list(wholesaler(), query)).status).toBe(400);
  },
);
