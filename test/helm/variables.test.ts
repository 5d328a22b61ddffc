import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATION_VARIABLES } from '@fiado/chassis/run-service';
import { parse } from 'yaml';

import { lists } from './support/chart-lists';
import { CHART } from './support/render';

type Schema = { [key: string]: unknown };

const read = (file: string) => readFileSync(join(CHART, file), 'utf8');
const schema = JSON.parse(read('values.schema.json')) as Schema & {
  properties: Record<string, Schema & { properties: Schema }>;
};
const values = parse(read('values.yaml'), { merge: true }) as Record<string, object>;
const processes = Object.keys(lists.processes);

it('a migration gets the variables that it reads, and the URL of the owner as its DATABASE_URL', () => {
  const read = MIGRATION_VARIABLES.filter(
    (variable) => !/^(MIGRATION_)?DATABASE_URL$/.test(variable),
  );
  expect(lists.migration).toEqual(read);
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
