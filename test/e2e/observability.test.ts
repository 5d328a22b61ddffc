import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { parse } from 'yaml';
import { SERVICES } from '@fiado/contracts/process-names';
import { readExport, type Exported } from './support/observability/exported';
import { metricsIn, problemsOf } from './support/observability/promql';
import { buyAndPay, createProvider, createStore, createWholesaler } from './support/story';
import { sharedSystem } from './support/shared-system';

const ROOT = resolve(__dirname, '../..');
const PAGES = 'docs/operations';
const SEVERITIES = ['page', 'ticket', 'none'];

interface Alert {
  alert: string;
  expr: string;
  for?: string;
  labels?: { severity?: string };
  annotations?: { summary?: string; runbook?: string };
}

interface Panel {
  title: string;
  targets?: Array<{ expr: string; legendFormat: string }>;
}

interface Recorded {
  record: string;
  labels: Record<string, string>;
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const alerts = (
  parse(read('ops/prometheus/alerts.yml')) as { groups: Array<{ rules: Alert[] }> }
).groups.flatMap(({ rules }) => rules);
/** Series that Prometheus makes itself. */
const recorded = (
  parse(read('ops/prometheus/expected-instances.yml')) as { groups: Array<{ rules: Recorded[] }> }
).groups.flatMap(({ rules }) => rules);
const panels = (JSON.parse(read('ops/grafana/fiado.json')) as { panels: Panel[] }).panels.filter(
  ({ targets }) => targets !== undefined,
);
const queries = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr.replaceAll('$__rate_interval', '5m')] as const),
);

const system = sharedSystem();
/** The metrics of each process, by port. */
let texts: string[];
let exported: Exported;
/** The same with the exporters of the stores, which do not run here. */
let exportedWithStores: Exported;
beforeAll(async () => {
  const wholesaler = await createWholesaler(system);
  const provider = await createProvider(system);
  const store = await createStore(system, wholesaler);
  await buyAndPay(system, { wholesaler, provider, store });
  texts = await Promise.all(system.ports.map(metricsOf));
  exported = readExport(texts);
  exportedWithStores = readExport([...texts, read('test/e2e/support/observability/stores.prom')]);
  for (const { record } of recorded) exportedWithStores.samples.set(record, new Map());
});

async function metricsOf(port: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

const ours = () => [...exported.metrics.values()].filter(({ name }) => name.startsWith('fiado_'));

it.each(alerts.map((alert) => [alert.alert, alert] as const))(
  'the alert %s looks at what is exported',
  (_name, { expr }) => {
    expect(problemsOf(expr, exportedWithStores)).toEqual([]);
  },
);

it.each(queries)('the panel "%s" shows what is exported: %s', (_title, expr) => {
  expect(problemsOf(expr, exportedWithStores)).toEqual([]);
});

it.each([
  ['nobody exports fiado_nothing', 'rate(fiado_nothing[5m]) > 0'],
  ['fiado_jobs_total has no label state', 'fiado_jobs_total{state="done"}'],
  ['fiado_jobs_total never has outcome="lost"', 'fiado_jobs_total{outcome="lost"}'],
  ['fiado_jobs_total never has outcome=~"lost"', 'fiado_jobs_total{outcome=~"done|lost"}'],
  ['none of fiado_ready has the label queue', 'sum by (queue) (fiado_ready)'],
  ['it names no metric', '1 > 0'],
])('an expression is refused: %s', (problem, expr) => {
  expect(problemsOf(expr, exported)).toEqual([problem]);
});

it.each(['rate(fiado_jobs_total[5m]', 'sum by (job fiado_ready', 'fiado_ready >'])(
  'no expression is %s',
  (expr) => {
    expect(() => problemsOf(expr, exported)).toThrow('No PromQL');
  },
);

it.each(alerts.map((alert) => [alert.alert, alert] as const))(
  'the alert %s has a severity, a duration and a runbook',
  (name, alert) => {
    expect(alert.for).toMatch(/^\d+[md]$/);
    expect(SEVERITIES).toContain(alert.labels?.severity);
    expect(alert.annotations?.summary).toMatch(/\S/);
    const runbook = alert.annotations?.runbook ?? '';
    expect([runbook, existsSync(join(ROOT, runbook))]).toEqual([runbook, true]);
    const page = read(runbook);
    for (const part of [`# ${name}\n`, '## First look\n', '## What to do\n', '## Whom to wake\n']) {
      expect(page).toContain(part);
    }
    expect(page).toMatch(/```sh\n\S/);
    expect(read(`${PAGES}/README.md`)).toContain(`[${name}](${runbook.replace(`${PAGES}/`, '')})`);
  },
);

it('each metric of ours is in the table of the docs, and no other', () => {
  const listed = [...read(`${PAGES}/README.md`).matchAll(/^\|[^|]*\| +`(fiado_\w+)`/gm)];
  const names = listed.map(([, name = '']) => name).sort();
  expect(names).toEqual(
    ours()
      .map(({ name }) => name)
      .sort(),
  );
});

it('each metric of ours is on the dashboard', () => {
  const shown = new Set(queries.flatMap(([, expr]) => metricsIn(expr)));
  expect(
    ours()
      .map(({ name }) => name)
      .filter((name) => !shown.has(name)),
  ).toEqual([]);
});

it('each metric has a help text, a value, and a name that matches its type and unit', () => {
  for (const { name, help, type } of ours()) {
    expect([name, help]).toEqual([name, expect.stringMatching(/\S{2}/)]);
    const samples = type === 'histogram' ? `${name}_count` : name;
    expect([name, exported.samples.has(samples)]).toEqual([name, true]);
    if (type === 'counter') expect(name).toMatch(/_total$/);
    else if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/);
    else expect([name, type]).toEqual([expect.not.stringMatching(/_(total|count|sum)$/), 'gauge']);
    expect(name).not.toMatch(/(millisecond|minute|hour|day|kilo|mega|_ms)/);
  }
});

it('each service and exporter of the scrape configuration is expected to run', () => {
  const { scrape_configs } = parse(read('ops/prometheus/prometheus.yml')) as {
    scrape_configs: Array<{ job_name: string }>;
  };
  expect(recorded.map(({ labels }) => labels.job)).toEqual(
    scrape_configs.map(({ job_name }) => job_name),
  );
});

it('each service exports the depth of every queue that it adds jobs to', async () => {
  const database = new Client({ connectionString: system.databaseUrl });
  await database.connect();
  try {
    let fed = 0;
    for (const [index, schema] of SERVICES.entries()) {
      const { rows } = await database.query(`SELECT DISTINCT queue FROM ${schema}.outbox`);
      for (const { queue } of rows) {
        const depth = `fiado_queue_jobs{queue="${queue}",state="waiting"}`;
        expect([schema, texts[index + 1]]).toEqual([schema, expect.stringContaining(depth)]);
      }
      fed += rows.length;
    }
    expect(fed).toBeGreaterThan(4);
  } finally {
    await database.end();
  }
});

it('each loop of a process shows whether its rounds end', () => {
  for (const text of texts) {
    const named = (pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name]) => name));
    expect(named(/^fiado_stalled_seconds\{kind="loop",name="([^"]+)"/gm)).toEqual(
      named(/^fiado_loop_interval_seconds\{loop="([^"]+)"/gm),
    );
  }
});

it('no label of a metric holds an id', () => {
  for (const [metric, labels] of exported.samples) {
    for (const [label, values] of labels) {
      const ids = [...values].filter((value) => /[0-9a-f]{8}-[0-9a-f]{4}|\d{6}/.test(value));
      expect([metric, label, ids]).toEqual([metric, label, []]);
    }
  }
});

const promtool = process.env.PROMTOOL ?? 'promtool';
const hasPromtool = (() => {
  try {
    return execFileSync(promtool, ['--version'], { stdio: 'pipe' }).length > 0;
  } catch {
    process.stdout.write('No promtool (PROMTOOL): Prometheus’ own check of the rules is skipped\n');
    return false;
  }
})();

(hasPromtool ? describe : describe.skip)('Prometheus itself', () => {
  it.each([
    'check rules alerts.yml expected-instances.yml',
    'check config prometheus.yml',
    'test rules alerts.test.yml alerts-of-days.test.yml',
  ])('says SUCCESS to %s', (what) => {
    const words = what.split(' ');
    const said = execFileSync(promtool, words, {
      cwd: join(ROOT, 'ops/prometheus'),
      encoding: 'utf8',
    });
    expect(said).toContain('SUCCESS');
  });
});
