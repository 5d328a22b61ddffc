import { randomUUID } from 'node:crypto';
import type { AnnounceEvent } from '@fiado/contracts/jobs/announce-event';
import { eventIdOf } from '@fiado/contracts/events';
import { insertEvents } from '../src/events/insert-events.sql';
import { recordAttempts, type FinishedAttempt } from '../src/webhooks/claim-deliveries.sql';
import type { Decision } from '../src/webhooks/delivery.rules';
import { startNotifier, type Notifier } from './support/notifier';

/** Attempts of one statement. */
const ATTEMPTS = 3;

const OUTCOMES: Array<{ decision: Decision; ms: number }> = [
  { decision: { status: 'delivered' }, ms: 10 },
  { decision: { status: 'delivered' }, ms: 2_500 },
  { decision: { status: 'pending', retryInSeconds: 5 }, ms: 10 },
  { decision: { status: 'pending', retryInSeconds: 5 }, ms: 2_500 },
  { decision: { status: 'failed', disables: 'gone' }, ms: 10 },
];

let notifier: Notifier;
beforeAll(async () => {
  notifier = await startNotifier({ NOTIFIER_ROLES: 'sms' });
});
afterAll(() => notifier.stop());

function newEvent(ownerId: string, id = randomUUID()) {
  const type: AnnounceEvent['type'] = 'transaction.created';
  const occurredAt = new Date();
  const body = JSON.stringify({ id: eventIdOf(id), type, timestamp: occurredAt.toISOString() });
  const subject = { subjectId: randomUUID(), subjectVersion: 1 };
  return { id, occurredAt, ownerKind: 'wholesaler' as const, ownerId, type, ...subject, body };
}

const positionsOf = (ownerId: string) =>
  notifier.rows('SELECT id, position FROM events WHERE owner_id = $1 ORDER BY position', [ownerId]);

it('events of one statement have the places in which they came, each once', async () => {
  const [first, other] = [randomUUID(), randomUUID()];
  const known = newEvent(first);
  await insertEvents(notifier.context.db, [known]);
  const fresh = [newEvent(first), newEvent(other), newEvent(first), newEvent(other)];
  const [a, b, c, d] = fresh;
  await insertEvents(notifier.context.db, [fresh[0]!, known, ...fresh.slice(1)]);

  expect(await positionsOf(first)).toEqual([
    { id: known.id, position: 1 },
    { id: a?.id, position: 2 },
    { id: c?.id, position: 3 },
  ]);
  expect(await positionsOf(other)).toEqual([
    { id: b?.id, position: 1 },
    { id: d?.id, position: 2 },
  ]);
});

/** Endpoints that have failed before, and the attempts at each that are under way. */
async function endpointsWithAttempts(count: number): Promise<FinishedAttempt['claimed'][][]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await notifier.rows(
    `INSERT INTO event_owners (id, kind, last_position)
     SELECT id, 'wholesaler', 0 FROM unnest($1::uuid[]) id`,
    [ids],
  );
  // The id of an endpoint is that of its owner.
  await notifier.rows(
    `INSERT INTO webhook_endpoints
       (id, owner_id, url, events, ordered, failures, failing_since, slow, in_flight)
     SELECT id, id, 'https://example.com', '{*}', false, 3, '2026-01-01', true, $2
       FROM unnest($1::uuid[]) id`,
    [ids, ATTEMPTS],
  );
  await insertEvents(
    notifier.context.db,
    ids.flatMap((id) => Array.from({ length: ATTEMPTS }, () => newEvent(id))),
  );
  const rows = await notifier.rows<{ id: string; endpointId: string }>(
    `UPDATE webhook_deliveries SET status = 'sending', attempts = 1, claimed_until = now() + interval '1 minute'
      WHERE endpoint_id = ANY ($1) RETURNING id, endpoint_id AS "endpointId"`,
    [ids],
  );
  const startedAt = new Date();
  const claimed = rows.map((row) => ({ ...row, attempt: 1, startedAt }));
  return ids.map((id) => claimed.filter(({ endpointId }) => endpointId === id));
}

const statesOf = (endpoints: FinishedAttempt['claimed'][][]) =>
  notifier.rows(
    `SELECT failures, failing_since > '2026-01-02' AS fails_anew, failing_since IS NULL AS is_well,
            good_at IS NOT NULL AS was_good, slow, in_flight, state, disabled_reason, disabled_told
       FROM webhook_endpoints WHERE id = ANY ($1) ORDER BY array_position($1, id)`,
    [endpoints.map(([first]) => first?.endpointId)],
  );

/** All sequences of so many outcomes. */
function sequencesOf(length: number): Array<typeof OUTCOMES> {
  if (length === 0) return [[]];
  return sequencesOf(length - 1).flatMap((before) => OUTCOMES.map((one) => [...before, one]));
}

it('outcomes of one statement leave an endpoint as the same outcomes one by one do', async () => {
  const sequences = sequencesOf(ATTEMPTS);
  const together = await endpointsWithAttempts(sequences.length);
  const apart = await endpointsWithAttempts(sequences.length);
  /** The attempts at each endpoint, with the outcomes of its sequence. */
  const attemptsAt = (endpoints: typeof together): FinishedAttempt[][] =>
    sequences.map((outcomes, at) =>
      outcomes.map((outcome, n) => ({
        ...outcome,
        claimed: endpoints[at]![n]!,
        httpStatus: 200,
        error: null,
        responseHead: null,
      })),
    );
  await recordAttempts(notifier.context.db, attemptsAt(together).flat());
  for (let n = 0; n < ATTEMPTS; n += 1) {
    await recordAttempts(
      notifier.context.db,
      attemptsAt(apart).map((attempts) => attempts[n]!),
    );
  }
  const [states, expected] = [await statesOf(together), await statesOf(apart)];
  const withOutcomes = (found: typeof states) => sequences.map((one, at) => [one, found[at]]);
  expect(withOutcomes(states)).toEqual(withOutcomes(expected));
});
