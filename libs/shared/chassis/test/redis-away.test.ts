import { randomUUID } from 'node:crypto';
import { IsString } from '@fiado/contracts/class-validator';
import { register } from 'prom-client';
import { query } from '../src/db/query';
import { defineJob } from '@fiado/contracts/define';
import { appendToOutbox, outboxRows } from '../src/outbox/append';
import type { Foundation, ServiceDefinition } from '../src/service';
import { ServiceConfig } from '../src/service-config';
import { ops } from '../src/testing/callers';
import { sampleIn } from '../src/testing/metrics';
import { startTestService, type TestService } from '../src/testing/service';
import { TEST_TIMING } from '../src/testing/timing';
import { until } from '../src/testing/until';

/** Nobody listens on it. */
const NO_REDIS = 'redis://127.0.0.1:1';

class Greeting {
  @IsString()
  text: string;
}

const greeted = defineJob({
  type: 'greeted',
  producers: ['accounts'],
  queues: ['notifier'],
  Data: Greeting,
});

/** A service whose one route wants a job. */
const definition: ServiceDefinition<ServiceConfig, Foundation> = {
  name: 'accounts',
  schema: { name: 'redis_away_test', migrations: [] },
  secrets: () => ({}),
  createContext: (foundation) => foundation,
  closeContext: async () => {},
  routes: [
    {
      method: 'post',
      path: '/v1/greet',
      allow: ['ops'],
      handler:
        ({ db, relay }) =>
        async (_req, res) => {
          const rows = outboxRows(greeted, { id: randomUUID(), version: 1 }, { text: 'hola' });
          await appendToOutbox(db, rows);
          relay.wake();
          res.json({});
        },
    },
  ],
  jobs: () => [],
  sendsTo: greeted.queues,
  loops: () => [],
};

let service: TestService<Foundation>;
beforeAll(async () => {
  // Values of other services in this process.
  for (const gauge of ['fiado_queue_jobs', 'fiado_queue_oldest_waiting_seconds']) {
    register.getSingleMetric(gauge)?.reset();
  }
  service = await startTestService(definition, ServiceConfig, {
    config: { REDIS_URL: NO_REDIS },
    timing: { ...TEST_TIMING, sample: 100 },
  });
});
afterAll(() => service.stop());

const metrics = async () => (await service.call(undefined, 'GET', '/metrics')).text;

test('a service that starts without Redis serves requests and is ready', async () => {
  expect((await service.call(ops(), 'POST', '/v1/greet')).status).toBe(200);
  const ready = await service.call(undefined, 'GET', '/health/ready');
  expect([ready.status, ready.body.status]).toEqual([200, 'ok']);
  expect(ready.body.checks).toMatchObject({ database: 'ok', clock: 'ok', queues: 'failed' });
  const text = await metrics();
  expect(sampleIn(text, 'fiado_ready')).toBe(1);
  expect(sampleIn(text, 'fiado_health_check_ok{check="queues"}')).toBe(0);
});

test('without Redis the outbox is measured, and the queues are not exported', async () => {
  await query(service.context.db, `UPDATE outbox SET created_at = now() - interval '1 hour'`);
  const age = /^fiado_outbox_oldest_waiting_seconds\{schema="redis_away_test"\} (.*)$/m;
  await until('the outbox is sampled', async () => {
    return Number(age.exec(await metrics())?.[1] ?? 0) > 3_000;
  });
  expect(await metrics()).not.toMatch(/^fiado_queue_(jobs|oldest)/m);
});
