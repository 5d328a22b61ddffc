import { existsSync, readFileSync } from 'node:fs';
import { join, normalize, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const [, section = ''] = read('docs/architecture.md').split('## Agreed packages and places');
/** A row's package or place, and the file of the repository that its first link names. */
const rows = [...section.matchAll(/^\| `([^`]+)` \| \[[^\]]+\]\(([^)]+)\)/gm)].map(
  ([, name = '', link = '']) => ({ name, file: normalize(join('docs', link)) }),
);

/** What the users ordered. A row may not go. */
const packages = new Set([
  'express',
  'bullmq',
  'ioredis',
  'typeorm',
  'pg',
  'class-validator',
  'twilio',
  'testcontainers',
  'jest',
]);
const services = ['gateway', 'accounts', 'transactions', 'payments', 'notifier'];
const places = ['libs/shared', 'docker-compose.yml', 'package.json', 'README.md'];

test('docs/architecture.md has a row for each agreed package and place', () => {
  expect(rows.map(({ name }) => name)).toEqual([
    ...packages,
    ...services.map((name) => `services/${name}`),
    ...places,
  ]);
});

test.each(rows)('$name: $file is a part of it', ({ name, file }) => {
  if (packages.has(name)) expect(read(file)).toMatch(new RegExp(`'${name}['/]`));
  else expect(`${file}/`).toMatch(new RegExp(`^${name}/`));
  expect(existsSync(join(ROOT, file))).toBe(true);
});
