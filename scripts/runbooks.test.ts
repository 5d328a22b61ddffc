import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SERVICES } from '@fiado/contracts/process-names';
import { parse } from 'yaml';

interface Alert {
  alert: string;
  expr: string;
  annotations: { runbook: string };
}

const ROOT = resolve(__dirname, '..');
const read = (file: string) => readFileSync(resolve(ROOT, file), 'utf8');
const { groups } = parse(read('ops/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);
/** Every scraped series has these; an aggregation keeps only what it names. */
const SCRAPED = ['job', 'instance'];
const AGGREGATED = /^(sum|max|min|count|time|vector|histogram_quantile)\b/;

/** Labels that the alert surely has: those of the left side of its expression. */
function labelsOf({ expr }: Alert): string[] {
  const [, by] = /^\w+ by \(([\w, ]+)\)/.exec(expr) ?? [];
  if (by !== undefined) return by.split(', ');
  if (expr.startsWith('fiado_expected_')) return ['job'];
  return AGGREGATED.test(expr) ? [] : SCRAPED;
}

it.each(alerts.map((alert) => [alert.alert, alert] as const))(
  'each variable on the page of %s is a label of the alert',
  (_name, alert) => {
    const page = read(alert.annotations.runbook);
    const code = [...page.matchAll(/```sh\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([text]) => text);
    const variables = code.flatMap((text) => [...text.matchAll(/\$\{?([A-Z][A-Z_]*)/g)]);
    const names = new Set(variables.map(([, name = '']) => name.toLowerCase()));

    const labels = labelsOf(alert);
    expect([...names].filter((name) => !labels.includes(name))).toEqual([]);
  },
);

it('the pages call docker compose only through ./production', () => {
  for (const { annotations } of alerts) {
    expect(read(annotations.runbook)).not.toMatch(/docker-compose |docker compose |npx fiado/);
  }
});

it('each log line that a page greps for is one that the sources write', () => {
  const sources = ['libs/chassis/src', ...SERVICES.map((name) => `services/${name}/src`)]
    .flatMap((folder) =>
      readdirSync(resolve(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => read(`${folder}/${file}`)),
    )
    .join('\n');
  const wanted = alerts.flatMap(({ annotations }) =>
    [...read(annotations.runbook).matchAll(/grep '([^'"]+)'/g)].map(([, text = '']) => text),
  );

  expect(wanted.length).toBeGreaterThan(3);
  expect(
    wanted.filter((text) => !sources.includes(`'${text}`) && !sources.includes(`${text}'`)),
  ).toEqual([]);
});
