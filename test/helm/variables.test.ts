import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { variablesOf } from '@fiado/shared/chassis/config';
import { MIGRATION_VARIABLES } from '@fiado/shared/chassis/run-service';
import { parse } from 'yaml';

import { CONFIGS, lists } from './support/chart-lists';
import { CHART } from './support/render';

type Schema = { [key: string]: unknown };

const read = (file: string) => readFileSync(join(CHART, file), 'utf8');
const schema = JSON.parse(read('values.schema.json')) as Schema & {
  properties: Record<string, Schema & { properties: Schema }>;
};
const values = parse(read('values.yaml'), { merge: true }) as Record<string, object>;
const processes = Object.keys(lists.processes);

/** Each secret is in this list, which a test of the supervisor compares with the configuration classes. */
const script = readFileSync(resolve(CHART, '../../../docker/read-settings.sh'), 'utf8');
const SECRETS = (/^for name in ([\s\S]*?); do/m.exec(script)?.[1] ?? '').split(/[\s\\]+/);

/** Only the migration reads it, as the owner of the database. */
const OWNERS = 'MIGRATION_DATABASE_URL';

it.each(processes)('the chart gives %s the variables of its configuration class', (process) => {
  const given = [lists.made, lists.settings, lists.secrets].flatMap((part) =>
    Object.keys(part).filter((variable) => part[variable]?.includes(process)),
  );
  const Config = CONFIGS.get(process) ?? Object;
  const read = variablesOf(Config).filter((variable) => variable !== OWNERS);
  expect(given.toSorted()).toEqual(read.toSorted());
});

it('a secret is not among the settings or the variables that the chart makes', () => {
  expect(SECRETS.length).toBeGreaterThan(20);
  const shown = [...Object.keys(lists.settings), ...Object.keys(lists.made)];
  expect(shown.filter((variable) => SECRETS.includes(variable))).toEqual([]);
  // Public keys are no secret, but are made with the private ones.
  const files = Object.keys(lists.secrets).filter((name) => !SECRETS.includes(name));
  expect(files).toEqual(['INTERNAL_TOKEN_PUBLIC_KEYS']);
});

it('a migration gets the variables that it reads, and the URL of the owner as its DATABASE_URL', () => {
  const read = MIGRATION_VARIABLES.filter(
    (variable) => !/^(MIGRATION_)?DATABASE_URL$/.test(variable),
  );
  expect(lists.migration).toEqual(read);
});

it('the schema has each setting of the chart, and no other', () => {
  const known = Object.keys(schema.properties.settings?.properties ?? {});
  expect(known.toSorted()).toEqual(Object.keys(lists.settings).toSorted());
});

it('every object of the schema is closed, or maps names to texts', () => {
  const open: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, additionalProperties: more } = node as Schema;
    const isMapOfTexts = JSON.stringify(more) === '{"type":"string"}';
    if (type === 'object' && more !== false && !isMapOfTexts) open.push(path);
    for (const [key, value] of Object.entries(node)) visit(value, `${path}/${key}`);
  };
  visit(schema, '');
  expect(open).toEqual([]);
});

it('README.md names each value, and no other', () => {
  const paths = new Set(
    leavesOf(values)
      .map((path) => path.replace(/^settings\..*/, 'settings.VARIABLE'))
      .map((path) => path.replace(new RegExp(`\\b(${processes.join('|')})\\b`), 'PROCESS')),
  );
  const named = [...read('README.md').matchAll(/^\| `([\w.]+)` +\|/gm)].map(
    ([, name = '']) => name,
  );
  expect(named.toSorted()).toEqual([...paths].toSorted());
});

/** The paths of all values that are not objects with values of their own. */
function leavesOf(node: object, path: string[] = []): string[] {
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    const here = [...path, key];
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject || Object.keys(value).length === 0) return [here.join('.')];
    return leavesOf(value, here);
  });
}
