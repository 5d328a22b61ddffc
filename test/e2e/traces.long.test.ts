import { randomBytes } from 'node:crypto';
import { startOtlpSink, type OtlpSink, type ReceivedSpan } from '@fiado/chassis/testing/otlp-sink';
import type { Client } from 'pg';
import { RedisServer } from '@fiado/chassis/testing/redis-server';
import { waitFor } from './support/api';
import { createStore, createWholesaler, type Store, type Wholesaler } from './support/story';
import { startSystem, type System } from './support/system';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';

/** From the request to the call of Twilio, each span above its child. */
const ORDER_TRACE = [
  'gateway: POST /v1/transaction/**',
  'gateway: forward to transactions',
  'transactions: POST /v1/transaction',
  'transactions: send send-message',
  'notifier: process send-message',
  'notifier: send claimed message',
  'notifier: call twilio',
];
type LogLine = Record<'service' | 'msg' | 'requestId' | 'trace_id', string>;

/** Orders while the collector does not answer. */
const MANY_ORDERS = 40;

/** The caller's span, of which the request is a child. */
const CALLERS_SPAN = 'b7ad6b7169203331';

let twilio: TwilioStandIn;
let sink: OtlpSink;
beforeAll(async () => {
  twilio = await TwilioStandIn.start();
  sink = await startOtlpSink();
});
afterAll(async () => {
  await sink.stop();
  await twilio.stop();
});

describe.each(['Postgres', 'Redis'])('with the queues in %s', (backend) => {
  let owner: Client;
  let redis: RedisServer | undefined;
  let system: System;
  let wholesaler: Wholesaler;
  let store: Store;
  beforeAll(async () => {
    redis = backend === 'Redis' ? await RedisServer.start() : undefined;
    system = await startSystem({
      env: {
        REDIS_URL: redis?.url ?? '',
        LOG_LEVEL: 'info',
        OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token-of-the-collector',
        SMS_PER_PHONE_PER_DAY: '100000',
        SMS_PER_PHONE_AND_WHOLESALER_PER_DAY: '100000',
        ...twilio.variables,
      },
    });
    owner = await system.connect();
    wholesaler = await createWholesaler(system);
    store = await createStore(system, wholesaler);
  });
  afterAll(async () => {
    await system?.dispose();
    await redis?.stop();
  });

  /** Places an order in a trace of the caller. @returns the id of the trace */
  async function orderInTrace(): Promise<string> {
    const traceId = randomBytes(16).toString('hex');
    const answer = await system.call(wholesaler.key, 'POST', '/transaction', {
      body: {
        cornerStoreId: store.cornerStoreId,
        totalAmount: 100,
        products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }],
      },
      headers: {
        // The caller asks not to be traced.
        traceparent: `00-${traceId}-${CALLERS_SPAN}-00`,
        tracestate: 'vendor=secret-of-the-caller',
        baggage: 'user=secret-of-the-caller',
      },
    });
    expect(answer.status).toBe(201);
    return traceId;
  }

  const spansOf = (traceId: string): ReceivedSpan[] =>
    sink.spans.filter((span) => span.traceId === traceId);

  async function untilReceived(traceId: string, ...names: string[]): Promise<void> {
    await waitFor(async () => {
      const known = spansOf(traceId).map(nameOf);
      return names.every((name) => known.includes(name)) || undefined;
    }).catch(() => expect(spansOf(traceId).map(nameOf)).toEqual(expect.arrayContaining(names)));
  }

  it('one trace leads from the request to the call of Twilio', async () => {
    const traceId = await orderInTrace();

    await untilReceived(traceId, ...ORDER_TRACE);
    const spans = spansOf(traceId);
    expect(pathTo(smsCallOf(spans), spans)).toEqual(ORDER_TRACE);
    expect(sink.headers.authorization).toBe('Bearer token-of-the-collector');
    expect(spans.find((span) => nameOf(span) === ORDER_TRACE[0])?.parentSpanId).toBe(CALLERS_SPAN);
    expect(spans.map(nameOf)).toEqual(
      expect.arrayContaining([
        'gateway: POST /internal/credentials/check',
        'transactions: hold-orders',
        'notifier: insert-messages',
      ]),
    );
    const printed = system.output().split('\n');
    const json = printed.filter((line) => line.startsWith('{'));
    const lines = json.map((line) => JSON.parse(line) as LogLine);
    const logged = lines.filter((line) => line.trace_id === traceId);
    const requestId = logged.find(({ service }) => service === 'gateway')?.requestId;
    const ofRequest = lines.filter((line) => line.requestId === requestId);
    expect(ofRequest.filter((line) => line.trace_id !== traceId)).toEqual([]);
    // The gateway asks accounts once more when its answer about the key is no longer fresh.
    const kinds = new Set(logged.map(({ service, msg }) => `${service}: ${msg}`));
    expect([...kinds].toSorted()).toEqual([
      'accounts: request',
      'gateway: request',
      'notifier: a message was attempted',
      'notifier: job done',
      'transactions: request',
    ]);
  });

  it('spans hold nothing personal and nothing that the caller chose', async () => {
    const traceId = await orderInTrace();
    await untilReceived(traceId, ...ORDER_TRACE);

    const text = JSON.stringify(sink.spans);
    for (const secret of [store.phone, store.phone.slice(-7), 'Lucía', 'Ortega', 'Refresco']) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toContain('secret-of-the-caller');
    expect(sink.spans.filter(({ traceState, events }) => traceState !== '' || events > 0)).toEqual(
      [],
    );
  });

  // What carries a trace over a crash is in the database, whatever carries the jobs.
  if (backend === 'Redis') return;

  it('the trace goes on after each process was killed with its work committed', async () => {
    // Neither the relay nor the sender of messages takes what is written from now on.
    await holdUp(owner, 'transactions.outbox', `NEW.leased_until := 'infinity';`);
    await holdUp(
      owner,
      'notifier.messages',
      `NEW.next_attempt_at := 'infinity'; NEW.status := 'pending'; NEW.attempts := 0;
       NEW.attempted_at := NULL; NEW.claimed_until := NULL;`,
    );
    const traceId = await orderInTrace();
    await untilReceived(traceId, ...ORDER_TRACE.slice(0, 3));

    for (const service of ['gateway', 'accounts', 'transactions', 'payments'] as const) {
      system.kill(service);
    }
    await letGo(owner, 'transactions.outbox', 'leased_until');
    await untilReceived(traceId, ...ORDER_TRACE.slice(0, 5));

    system.kill('notifier');
    twilio.behaviours = [{ refuse: 429, code: 20429 }];
    const refusedBefore = twilio.posts.length;
    await letGo(owner, 'notifier.messages', 'next_attempt_at');
    await waitFor(async () => twilio.posts.length > refusedBefore || undefined);
    // The first attempt was claimed and refused; the next process makes the second one.
    await waitFor(async () => (await attemptsOf(traceId)) > 0 || undefined);
    system.kill('notifier');
    twilio.behaviours = ['accept'];
    const sent = await waitFor(async () => smsCallOf(spansOf(traceId)));
    const path = await waitFor(async () => {
      const names = pathTo(sent, spansOf(traceId));
      return names.length === ORDER_TRACE.length ? names : undefined;
    });
    expect(path).toEqual(ORDER_TRACE);
  });

  it('orders and SMS go on while the collector does not answer, and every process ends', async () => {
    sink.hold();
    const [answered, received] = [sink.answered, sink.spans.length];
    const sentBefore = twilio.posts.length;
    for (let n = 0; n < MANY_ORDERS; n += 1) await orderInTrace();
    await waitFor(async () => twilio.posts.length >= sentBefore + MANY_ORDERS || undefined);

    // No export of these spans has ended.
    await waitFor(async () => sink.spans.length > received || undefined);
    expect(sink.answered).toBe(answered);
    expect(await system.stop()).toBe(0);
    sink.release();
  });

  async function attemptsOf(traceId: string): Promise<number> {
    const { rows } = await owner.query<{ count: number }>(
      `SELECT count(*)::integer FROM notifier.message_attempts JOIN notifier.messages ON id = message_id
        WHERE traceparent LIKE '%' || $1 || '%' AND outcome = 'pending'`,
      [traceId],
    );
    return rows[0]?.count ?? 0;
  }
});

function nameOf({ service, name }: ReceivedSpan): string {
  return `${service}: ${name}`;
}

/** The call of Twilio that took the message. */
function smsCallOf(spans: ReceivedSpan[]): ReceivedSpan | undefined {
  return spans.find(
    (span) => nameOf(span) === 'notifier: call twilio' && !('error.type' in span.attributes),
  );
}

/** The spans above a span, and it, from the first one of the trace. */
function pathTo(end: ReceivedSpan | undefined, spans: ReceivedSpan[]): string[] {
  const path: string[] = [];
  let span = end;
  while (span !== undefined) {
    path.unshift(nameOf(span));
    const { parentSpanId } = span;
    span = spans.find(({ spanId }) => spanId === parentSpanId);
  }
  return path;
}

/** From now on, new rows of the table are not due. @param change makes them so */
async function holdUp(owner: Client, table: string, change: string): Promise<void> {
  await owner.query(`
    CREATE FUNCTION ${table}_held() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN ${change} RETURN NEW; END $$;
    CREATE TRIGGER held BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_held()`);
}

async function letGo(owner: Client, table: string, dueAt: string): Promise<void> {
  await owner.query(`DROP FUNCTION ${table}_held() CASCADE`);
  await owner.query(`UPDATE ${table} SET ${dueAt} = now() WHERE ${dueAt} = 'infinity'`);
}
