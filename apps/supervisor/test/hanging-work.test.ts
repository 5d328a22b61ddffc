import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PoolClient } from 'pg';
import type { JobRoute } from '@fiado/chassis/jobs/worker';
import { Lane, type LaneOptions } from '@fiado/chassis/lanes/lane';
import { Loop } from '@fiado/chassis/loop';
import { metricsText } from '@fiado/chassis/metrics';
import { RowWorker } from '@fiado/chassis/row-jobs/row-worker';
import type { Foundation } from '@fiado/chassis/service';
import { samplesOf, type TestService } from '@fiado/chassis/testing/service';
import { until } from '@fiado/chassis/testing/until';
import { accountsService } from '../../../services/accounts/src/service';
import { startAccounts } from '../../../services/accounts/test/support/accounts';
import { startTestGateway } from '../../../services/gateway/test/support/test-gateway';
import { notifierService } from '../../../services/notifier/src/service';
import { startNotifier } from '../../../services/notifier/test/support/notifier';
import { paymentsService } from '../../../services/payments/src/service';
import { startPayments } from '../../../services/payments/test/support/service';
import { transactionsService } from '../../../services/transactions/src/service';
import { startTransactions } from '../../../services/transactions/test/support/transactions';

const ALERTS = resolve(__dirname, '../../../ops/prometheus/alerts.yml');

/** Work that hung, with what /metrics said then. */
interface Hung {
  job: string;
  kind: string;
  name: string;
  stalledSeconds: number;
  limitSeconds: number;
}

/** Work that can be made to hang. @returns ends it */
type Hang = () => Promise<() => Promise<void> | void>;

const all: Hung[] = [];
/** Loops that were started since the test began. */
let loops: Loop[];
/** Handles the jobs of a queue, while it is to hang. */
let handle: (() => Promise<void>) | undefined;

beforeEach(() => {
  loops = [];
  const start = Reflect.get(Loop.prototype, 'start');
  jest.spyOn(Loop.prototype, 'start').mockImplementation(function (this: Loop) {
    loops.push(this);
    start.call(this);
  });
});
afterEach(() => jest.restoreAllMocks());

const SERVICES = [
  ['accounts', accountsService, startAccounts],
  ['transactions', transactionsService, startTransactions],
  ['payments', paymentsService, () => startPayments()],
  ['notifier', notifierService, startNotifier],
] as const;

test.each(SERVICES)(
  'each loop, lane, worker and pool of %s that hangs shows in its metrics, and no other work is left out',
  async (job, definition, start) => {
    const before = worksIn(await metricsText());
    letJobsHang(definition);
    const service = (await start()) as TestService<Foundation>;
    const works = new Map<string, Hang>([
      ...loops.map((loop) => [`loop ${nameOf(loop)}`, () => hangLoop(loop)] as const),
      ...partsOf(service.context, Lane).map(
        (lane) => [`lane ${nameOf(lane)}`, () => hangLane(lane)] as const,
      ),
      ...partsOf(service.context, RowWorker).map(
        (worker) => [`worker ${typeOf(worker)}`, () => hangRows(worker)] as const,
      ),
      [`worker ${job}`, () => hangJob(definition, service)],
      [`pool ${job}`, () => hangPool(service)],
    ]);
    const shown = worksIn(await (await fetch(`${service.url}/metrics`)).text());
    try {
      // Services of other test files have used the process, and some of their work has the same names.
      const own = shown.filter((work) => works.has(work) || !before.includes(work));
      expect([...works.keys()].toSorted()).toEqual(own.toSorted());
      for (const [work, hang] of works) await seeHanging({ job, work, hang });
    } finally {
      await service.stop();
    }
  },
);

test('each loop of the gateway that hangs shows in its metrics', async () => {
  const gateway = await startTestGateway();
  try {
    expect(loops.length).toBeGreaterThan(0);
    const shown = worksIn(await (await fetch(`${gateway.url}/metrics`)).text());
    expect(shown).toEqual(expect.arrayContaining(loops.map((loop) => `loop ${nameOf(loop)}`)));
    for (const loop of loops) {
      const work = `loop ${nameOf(loop)}`;
      await seeHanging({ job: 'gateway', work, hang: () => hangLoop(loop) });
    }
  } finally {
    await gateway.stop();
  }
});

const promtool = process.env.PROMTOOL ?? 'promtool';
const hasPromtool = (() => {
  try {
    return execFileSync(promtool, ['--version'], { stdio: 'pipe' }).length > 0;
  } catch {
    process.stdout.write('No promtool (PROMTOOL): whether hanging work pages is not tested\n');
    return false;
  }
})();

(hasPromtool ? test : test.skip)('each of them pages, by the rules of Prometheus', () => {
  expect(all.length).toBeGreaterThan(50);
  const series = (metric: string, { job, kind, name }: Hung): string =>
    `${metric}{job="${job}", instance="a", kind="${kind}", name="${name}"}`;
  const folder = mkdtempSync(join(tmpdir(), 'fiado-hanging-'));
  const tests = join(folder, 'hanging.test.yml');
  // JSON is YAML.
  writeFileSync(
    tests,
    JSON.stringify({
      rule_files: [ALERTS],
      evaluation_interval: '1m',
      // One test: promtool evaluates all rules anew for each.
      tests: [
        {
          interval: '1m',
          input_series: all.flatMap((hung) => [
            { series: series('fiado_stalled_seconds', hung), values: `${hung.stalledSeconds}x5` },
            {
              series: series('fiado_stalled_limit_seconds', hung),
              values: `${hung.limitSeconds}x5`,
            },
          ]),
          alert_rule_test: [
            {
              eval_time: '3m',
              alertname: 'FiadoNoProgress',
              exp_alerts: all.map(({ job, kind, name }) => ({
                exp_labels: { severity: 'page', job, instance: 'a', kind, name },
                exp_annotations: {
                  summary: `Work waits in ${job} (a) and none ends: ${kind} ${name}`,
                  runbook: 'docs/operations/no-progress.md',
                },
              })),
            },
          ],
        },
      ],
    }),
  );
  const said = execFileSync(promtool, ['test', 'rules', tests], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(said).toContain('SUCCESS');
});

/** Lets a piece of work hang, sees it in the metrics once it is over its limit, and no longer when it has ended. */
async function seeHanging(given: { job: string; work: string; hang: Hang }): Promise<void> {
  const { job, work, hang } = given;
  const [kind = ''] = work.split(' ');
  const name = work.slice(kind.length + 1);
  const end = await hang();
  const limitSeconds = await valueOf('fiado_stalled_limit_seconds', { kind, name });
  const now = performance.now.bind(performance);
  const later = jest
    .spyOn(performance, 'now')
    .mockImplementation(() => now() + (limitSeconds + 1) * 1_000);
  const stalled = () => valueOf('fiado_stalled_seconds', { kind, name });
  const stalledSeconds = await stalled();
  later.mockRestore();
  expect([work, stalledSeconds > limitSeconds]).toEqual([work, true]);
  all.push({ job, kind, name, stalledSeconds, limitSeconds });
  await end();
  await until(`${work} goes on`, async () => (await stalled()) < 1);
}

/** A value that /metrics would say now, without the text of all the others. */
async function valueOf(metric: string, { kind, name }: { kind: string; name: string }) {
  const samples = await samplesOf(metric);
  const found = samples.find(({ labels }) => labels['kind'] === kind && labels['name'] === name);
  return Number(found?.value);
}

/** Everything that has a heartbeat, as `kind name`. */
function worksIn(metrics: string): string[] {
  const labels = /^fiado_stalled_limit_seconds\{kind="(.*)",name="(.*)"\}/;
  return metrics.split('\n').flatMap((line) => {
    const found = labels.exec(line);
    return found === null ? [] : [`${found[1]} ${found[2]}`];
  });
}

/** What a test cannot reach otherwise. */
interface Inside {
  options: { name: string; round: (stopping: AbortSignal) => Promise<boolean | void> };
  job: { type: string };
  work: (id: string) => Promise<void>;
  start(row: object): void;
}
const inside = (part: object): Inside => part as unknown as Inside;
const nameOf = (part: Loop | Lane<unknown, unknown>): string => inside(part).options.name;
const typeOf = (worker: RowWorker): string => inside(worker).job.type;

/** Parts of a context that are of a class, wherever they are in it. */
function partsOf<Part extends object>(
  context: object,
  PartClass: abstract new (...given: never[]) => Part,
): Part[] {
  const found = new Set<Part>();
  for (const place of [context, ...Object.values(context as Record<string, unknown>)]) {
    if (typeof place !== 'object' || place === null) continue;
    for (const part of Object.values(place)) if (part instanceof PartClass) found.add(part);
  }
  return [...found];
}

/** A promise that nobody settles but the test. */
function hanging<Result>(): { hung: Promise<Result>; end: (result: Result) => void } {
  let end: (result: Result) => void = () => {};
  const hung = new Promise<Result>((settle) => {
    end = settle;
  });
  return { hung, end };
}

async function hangLoop(loop: Loop): Promise<() => void> {
  const { options } = inside(loop);
  const { round } = options;
  const { hung, end } = hanging<void>();
  const began = new Promise<void>((settle) => {
    options.round = () => {
      options.round = round;
      settle();
      return hung;
    };
  });
  loop.wake();
  await began;
  return () => end();
}

async function hangLane(lane: Lane<unknown, unknown>): Promise<() => void> {
  const { options } = lane as unknown as { options: LaneOptions<unknown, unknown> };
  const { hung, end } = hanging<unknown[]>();
  const run = jest.spyOn(options, 'run').mockReturnValue(hung);
  const others = [
    jest.spyOn(options, 'tenantOf').mockReturnValue('tenant'),
    ...(options.keysOf === undefined ? [] : [jest.spyOn(options, 'keysOf').mockReturnValue([])]),
  ];
  void lane.add({});
  await until('the batch has begun', () => run.mock.calls.length > 0);
  for (const mock of [run, ...others]) mock.mockRestore();
  return () => end([undefined]);
}

async function hangRows(worker: RowWorker): Promise<() => void> {
  const parts = inside(worker);
  const { work } = parts;
  const { hung, end } = hanging<void>();
  parts.work = () => hung;
  parts.start({ id: randomUUID(), tenant: 'tenant', attempts: 1, isDead: false });
  parts.work = work;
  return () => end();
}

interface Definition {
  name: string;
  jobs: (context: never) => JobRoute[];
}

/** Must be called before the service starts. */
function letJobsHang(definition: Definition): void {
  const jobs = definition.jobs.bind(definition);
  jest.spyOn(definition, 'jobs').mockImplementation((context) =>
    jobs(context).map((route) => ({
      ...route,
      handle: (envelope: Parameters<JobRoute['handle']>[0]) => handle?.() ?? route.handle(envelope),
    })),
  );
}

async function hangJob(
  definition: Definition,
  service: TestService<Foundation>,
): Promise<() => Promise<void>> {
  const [route] = definition.jobs(service.context as never);
  if (route === undefined) throw new Error('Each service has jobs');
  const { hung, end } = hanging<void>();
  let delivered: Promise<void> | undefined;
  await new Promise<void>((settle) => {
    handle = () => {
      handle = undefined;
      settle();
      return hung;
    };
    delivered = service.deliver(route.definition, { id: randomUUID(), version: 1 }, {});
  });
  return async () => {
    end();
    await delivered;
  };
}

async function hangPool({ context }: TestService<Foundation>): Promise<() => Promise<void>> {
  const pool = context.db.connection;
  const over = new AbortController();
  // A connection that is asked for is given up after two seconds: others of the process hold some for a moment.
  const take = async (): Promise<PoolClient> => pool.connect().catch(take);
  const taken = await Promise.all(Array.from({ length: pool.options.max }, take));
  const waiting = (async () => {
    while (!over.signal.aborted) {
      await pool.connect().then(
        (client) => client.release(),
        () => undefined,
      );
    }
  })();
  return async () => {
    over.abort();
    for (const client of taken) client.release();
    await waiting;
  };
}
