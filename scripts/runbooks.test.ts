import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { QUEUES_SCHEMA, roleOf } from '@fiado/chassis/db/roles';
import { PROCESS_NAMES } from '@fiado/contracts/process-names';
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

const FOLDER = 'docs/operations';
const pages = readdirSync(resolve(ROOT, FOLDER)).map((name) => ({
  name,
  text: read(`${FOLDER}/${name}`),
}));
const code = (text: string) =>
  [...text.matchAll(/```sh\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
    ([, block, inline]) => block ?? inline ?? '',
  );

const sources = [
  'libs/shared/chassis/src',
  'libs/shared/contracts/src',
  ...PROCESS_NAMES.map((name) => `services/${name}/src`),
]
  .flatMap((folder) =>
    readdirSync(resolve(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => read(`${folder}/${file}`)),
  )
  .join('\n');

/** Labels that the alert surely has: those of the left side of its expression. */
function labelsOf({ expr }: Alert): string[] {
  const [, by] = /^\w+ by \(([\w, ]+)\)/.exec(expr) ?? [];
  if (by !== undefined) return by.split(', ');
  if (expr.startsWith('fiado_expected_')) return ['job'];
  return AGGREGATED.test(expr) ? [] : SCRAPED;
}

/** What `find` finds in a page and `isKnown` does not know, with the name of the page. */
function unknown(find: (text: string) => string[], isKnown: (found: string) => boolean): string[] {
  const found = pages.flatMap(({ name, text }) => find(text).map((one) => ({ name, one })));
  expect(found.length).toBeGreaterThan(3);
  return found.filter(({ one }) => !isKnown(one)).map(({ name, one }) => `${name}: ${one}`);
}

const groupsOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].flatMap(([, ...found]) => found.filter((one) => one !== undefined));

it.each(alerts.map((alert) => [alert.alert, alert] as const))(
  'each variable on the page of %s is a label of the alert',
  (_name, alert) => {
    const text = code(read(alert.annotations.runbook)).join('\n');
    const names = new Set(
      groupsOf(text, /\$\{?([A-Z][A-Z_]*)/g).map((variable) => variable.toLowerCase()),
    );

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
  const linesOf = (text: string) =>
    groupsOf(text, /grep (?:-E )?'([^'"^]+)'/g).flatMap((pattern) => pattern.split('|'));

  expect(
    unknown(linesOf, (line) => sources.includes(`'${line}`) || sources.includes(`${line}'`)),
  ).toEqual([]);
});

it('each panel that a page names is on the dashboard', () => {
  const { panels } = JSON.parse(read('ops/grafana/fiado.json')) as { panels: { title: string }[] };
  const titles = new Set(panels.map(({ title }) => title));
  const panelsOf = (text: string) =>
    groupsOf(text, /\bpanels? \*([^*]+)\*(?:\s+and\s+\*([^*]+)\*)?/g).map((title) =>
      title.replaceAll(/\s+/g, ' '),
    );

  expect(unknown(panelsOf, (title) => titles.has(title))).toEqual([]);
});

it('each metric, role, volume, setting and error code that a page names is one of the repository', () => {
  const others = ['docs/settings.md', 'docker-compose.yml', 'docker/backup'];
  const instances = 'ops/prometheus/expected-instances.yml';
  const { volumes } = parse(read('docker-compose.yml')) as { volumes: object };
  const known = [
    sources,
    roleOf(QUEUES_SCHEMA),
    // By the name of the project.
    ...Object.keys(volumes).map((name) => `fiado_${name}`),
    ...[...others, instances].map(read),
    // A variable of psql.
    'ON_ERROR_STOP',
  ].join('\n');
  const namesOf = (text: string) =>
    code(text).flatMap((part) =>
      groupsOf(part, /(?<![$\w])(fiado_\w+|[A-Z][A-Z\d]*_[A-Z\d_]+)\b/g),
    );

  expect(unknown(namesOf, (name) => known.includes(name))).toEqual([]);
});

it('each container that a page names is in docker-compose.yml', () => {
  const { services } = parse(read('docker-compose.yml')) as { services: object };
  const known = new Set(Object.keys(services));
  const commands =
    /\.\/production (?:--profile \w+ )?(?:logs|ps|restart|exec)((?: -[a-zA-Z]| --[a-z-]+(?: \d+[mh]?)?)*)((?: [a-z-]+)*)/g;
  const namesOf = (text: string) =>
    code(text)
      .flatMap((part) =>
        [...part.matchAll(commands)].flatMap(([command, , names = '']) =>
          // The first word after `exec` is the container, the others are its command.
          names
            .trim()
            .split(' ')
            .slice(0, command.includes(' exec ') ? 1 : undefined),
        ),
      )
      .filter(Boolean);

  expect(unknown(namesOf, (name) => known.has(name))).toEqual([]);
});
