import type { Database } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import type { Sealer } from '@fiado/chassis/keys/sealing';
import { Lane } from '@fiado/chassis/lanes/lane';
import type { Logger } from '@fiado/chassis/logger';
import { guardRow, Loop } from '@fiado/chassis/loop';
import type { Reading } from '@fiado/chassis/metrics';
import type { Timing } from '@fiado/chassis/timing';
import { inSpan } from '@fiado/chassis/tracing/tracer';
import { eventIdOf } from '@fiado/contracts/events';
import { countAttempt, oldestDueWebhook, webhookEndpoints, webhooksPending } from '../metrics';
import { storeOutcome } from '../store-outcome';
import {
  claimDeliveries,
  DELIVERY_CLAIM_SECONDS,
  markSlow,
  recordAttempts,
  type ClaimedDelivery,
  type FinishedAttempt,
} from './claim-deliveries.sql';
import {
  decisionOf,
  STANDING_LIMITS,
  STANDINGS,
  SLOW_AFTER_MS,
  type Standing,
} from './delivery.rules';
import { findSecrets, openSecret, signatureHeader, type SealedSecret } from './secrets';
import { ENDPOINT_STATES } from './endpoints.sql';
import type { WebhookClient } from './webhook-client';
import type { WebhookEndpointRow } from './webhook-endpoint.entity';

const USER_AGENT = 'Fiado-Webhooks/1';

const LOOP = 'webhook sender';

/** The parts that the sender works with. */
interface SenderParts {
  db: Database;
  log: Logger;
  timing: Timing;
  sealer: Sealer;
  /** Monotonic clock, in milliseconds. */
  monotonicMs: () => number;
}

/** Claims deliveries of events, posts them, and stores the outcome. */
export class WebhookSender {
  /** Wake it when a delivery is due at once; its poll would find the row later. */
  readonly loop: Loop;
  /** Stores the outcomes of attempts. All waiting outcomes are one statement. */
  private readonly outcomes: Lane<FinishedAttempt, { disabled: boolean }>;
  /** All fields are known, so the search for secrets is skipped. */
  private readonly attemptLog: Logger;
  /** Attempts that are under way. */
  private readonly attempts = new Set<Promise<unknown>>();
  /** How many of them hold a place of their standing. */
  private readonly placesTaken: Record<Standing, number> = { good: 0, new: 0, slow: 0 };

  constructor(
    private readonly parts: SenderParts,
    public client: WebhookClient,
  ) {
    const { log, timing, db } = parts;
    this.attemptLog = log.child({}, { redact: [] });
    this.outcomes = new Lane({
      name: 'record-attempts',
      run: (attempts) => recordAttempts(db, attempts),
      // The attempts took turns when they were claimed, so outcomes need none.
      tenantOf: ({ claimed }) => claimed.id,
    });
    this.loop = new Loop(log, {
      name: LOOP,
      everyMs: timing.sendWebhooks,
      round: () => this.sendDue(),
    });
  }

  wake(): void {
    this.loop.wake();
  }

  /** Waits for the attempts that are under way. */
  async ended(): Promise<void> {
    await Promise.all(this.attempts);
  }

  /**
   * One round: claims what is due, as far as there are places, and starts to send it without waiting for any
   * endpoint. It is woken when a place is free again.
   * @returns whether there may be more to claim now
   */
  private async sendDue(): Promise<boolean> {
    const { db } = this.parts;
    const free = Object.fromEntries(
      STANDINGS.map((standing) => [
        standing,
        STANDING_LIMITS[standing].places - this.placesTaken[standing],
      ]),
    ) as Record<Standing, number>;
    const claimed = await claimDeliveries(db, free);
    if (claimed.length === 0) return false;

    const secrets = await findSecrets(db, [
      ...new Set(claimed.map(({ endpointId }) => endpointId)),
    ]);
    for (const delivery of claimed) {
      const own = secrets.filter(({ endpointId }) => endpointId === delivery.endpointId);
      this.start(delivery, own);
    }
    return true;
  }

  /** Starts one attempt. What goes wrong is logged: its claim lapses, and it is made again. */
  private start(delivery: ClaimedDelivery, secrets: SealedSecret[]): void {
    const { db, log } = this.parts;
    const { id: deliveryId, endpointId, standing, type, attempt: number } = delivery;
    const leavePlace = this.takePlace(standing);
    const tooSlow = setTimeout(() => {
      leavePlace();
      markSlow(db, endpointId).catch((error: unknown) => {
        log.warn({ err: error, deliveryId }, 'endpoint could not be marked as slow');
      });
    }, SLOW_AFTER_MS);

    const attributes = {
      'fiado.event.type': type,
      'fiado.endpoint.id': endpointId,
      'fiado.attempt': number,
    };
    const attempt: Promise<unknown> = guardRow(LOOP, { log, deliveryId }, () =>
      // Events are written by triggers, which have no trace.
      inSpan('send webhook', { kind: 'client', parent: null, attributes }, () =>
        this.attempt(delivery, secrets),
      ),
    )
      .catch((error: unknown) =>
        log.error({ err: error, deliveryId }, 'webhook outcome not stored'),
      )
      .finally(() => {
        clearTimeout(tooSlow);
        leavePlace();
        this.attempts.delete(attempt);
      });
    this.attempts.add(attempt);
  }

  /** @returns gives the place back, once */
  private takePlace(standing: Standing): () => void {
    this.placesTaken[standing] += 1;
    let holds = true;
    return () => {
      if (!holds) return;
      holds = false;
      this.placesTaken[standing] -= 1;
      this.wake();
    };
  }

  /**
   * Makes one attempt at a delivery that is committed as sending, and stores its outcome. When the
   * process dies before that, the claim lapses and the event is sent again with the same id.
   */
  private async attempt(claimed: ClaimedDelivery, secrets: SealedSecret[]): Promise<void> {
    const { sealer, monotonicMs } = this.parts;
    const startedMs = monotonicMs();
    const outcome = await this.client.post({
      url: claimed.url,
      headers: headersOf(sealer, claimed, secrets),
      body: claimed.body,
    });
    const ms = Math.round(monotonicMs() - startedMs);
    const answered = 'status' in outcome ? outcome : undefined;
    const decision = decisionOf(
      {
        status: answered?.status ?? null,
        directive: textOf(answered?.headers['webhook-delivery']),
        retryAfter: textOf(answered?.headers['retry-after']),
      },
      { attempt: claimed.attempt, now: claimed.startedAt.getTime(), random: Math.random() },
    );
    const error = 'error' in outcome ? outcome.error : null;
    countAttempt({ standing: claimed.standing, status: answered?.status, error });
    const { id: deliveryId, endpointId, attempt } = claimed;
    const finished = {
      claimed,
      decision,
      ms,
      httpStatus: answered?.status ?? null,
      error,
      responseHead: answered?.head ?? null,
    };
    const { disabled } = await storeOutcome(() => this.outcomes.add(finished), this.parts, {
      deliveryId,
      endsMs: startedMs + DELIVERY_CLAIM_SECONDS * 1_000,
    });
    const { status } = decision;
    this.attemptLog[disabled ? 'warn' : 'info'](
      {
        deliveryId,
        endpointId,
        attempt,
        status,
        error,
        httpStatus: answered?.status,
        ms,
        disabled,
      },
      'a webhook was attempted',
    );
  }
}

function headersOf(
  sealer: Sealer,
  { eventId, startedAt, body }: ClaimedDelivery,
  secrets: SealedSecret[],
): Record<string, string> {
  const id = eventIdOf(eventId);
  const timestamp = Math.floor(startedAt.getTime() / 1_000);
  const opened = secrets.map((secret) => ({
    kind: secret.kind,
    secret: openSecret({ sealer }, secret),
  }));
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureHeader(opened, { id, timestamp, body }),
  };
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/**
 * Reads what waits for webhook endpoints, and how many are in each state. Endpoints that fail or hang
 * are not what the sender is late with.
 */
export async function sampleWebhooks({ db }: { db: Database }): Promise<Reading[]> {
  const backlog = await queryOne<{ pending: number; oldestDueSeconds: number }>(
    db,
    `SELECT count(*) AS pending,
            coalesce(greatest(0, EXTRACT(EPOCH FROM now() - min(next_attempt_at)
              FILTER (WHERE good_at > now() - interval '24 hours' AND NOT slow AND NOT ordered
                        AND state = 'enabled'))), 0)::float8 AS "oldestDueSeconds"
       FROM webhook_deliveries JOIN webhook_endpoints endpoint ON endpoint.id = endpoint_id
      WHERE status = 'pending'`,
  );
  const states = await query<Pick<WebhookEndpointRow, 'state'> & { count: number }>(
    db,
    `SELECT state, count(*) AS count FROM webhook_endpoints WHERE state <> 'deleted' GROUP BY state`,
  );
  return [
    webhooksPending({}, backlog.pending),
    oldestDueWebhook({}, backlog.oldestDueSeconds),
    ...ENDPOINT_STATES.map((state) =>
      webhookEndpoints({ state }, states.find((one) => one.state === state)?.count ?? 0),
    ),
  ];
}
