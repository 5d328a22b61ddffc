import { spawnSync } from 'node:child_process';
import { RUN_SOURCES } from '@fiado/chassis/testing/run-sources';
import { SERVICES } from './services';

// Most of a start is the loading of modules. Each index or package that is kept out here took 25 to 85 ms and 5 to 8 MB in
// every process that loaded it.

const migrated = ['accounts', 'transactions', 'payments', 'notifier'].map(
  (name) => `@fiado/${name}/db/schema`,
);
const ownPrograms = ['@fiado/console/console', `${__dirname}/supervise`];
const programs = [...SERVICES.map(({ name }) => `@fiado/${name}/service`), ...ownPrograms];

const withoutPhones = ['@fiado/transactions/service', '@fiado/payments/service', ...ownPrograms];
/** One process loads these after each other: what is not there with the former is not loaded by the first either. */
const STEPS = [[...migrated, '@fiado/chassis/db/migrate'], withoutPhones, programs];

/** Files of packages that the process has loaded after each step, such as `pg/lib/index.js`. */
let loaded: string[][];
beforeAll(() => {
  const program = `
    require('@fiado/chassis/process-setup');
    console.log(JSON.stringify(${JSON.stringify(STEPS)}.map((modules) => {
      for (const name of modules) require(name);
      const files = Object.keys(require.cache).filter((file) => file.includes('node_modules/'));
      return files.map((file) => file.split('node_modules/').at(-1));
    })));`;
  const run = spawnSync(process.execPath, [...RUN_SOURCES, '-e', program], { encoding: 'utf8' });
  expect(run.stderr).toBe('');
  loaded = JSON.parse(run.stdout) as string[][];
});

const packagesAfter = (step: number) => [
  ...new Set(loaded[step]?.map((file) => file.split('/')[0])),
];

test('migrations load neither validators nor TypeORM', () => {
  const packages = packagesAfter(0);
  expect(packages).toContain('pg');
  expect(packages).not.toContain('class-validator');
  expect(packages).not.toContain('typeorm');
});

test('no process loads an index that brings what nobody uses', () => {
  const files = loaded[2];
  expect(files).toContain('express/index.js');
  const indexes = ['class-validator/cjs/index.js', 'undici/index.js', 'typeorm/index.js'];
  expect(files?.filter((file) => indexes.includes(file))).toEqual([]);
});

test('processes that read no phone numbers load no numbering plans', () => {
  expect(packagesAfter(1)).toContain('express');
  expect(packagesAfter(1)).not.toContain('libphonenumber-js');
});
