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

/** Files of packages that a process has loaded once it has these modules, such as `pg/lib/index.js`. */
function filesLoadedBy(modules: string[]): string[] {
  const program = `
    require('@fiado/chassis/process-setup');
    for (const name of ${JSON.stringify(modules)}) require(name);
    const files = Object.keys(require.cache).filter((file) => file.includes('node_modules/'));
    console.log(JSON.stringify(files.map((file) => file.split('node_modules/').at(-1))));`;
  const run = spawnSync(process.execPath, [...RUN_SOURCES, '-e', program], { encoding: 'utf8' });
  expect(run.stderr).toBe('');
  return JSON.parse(run.stdout) as string[];
}

function packagesLoadedBy(modules: string[]): string[] {
  return [...new Set(filesLoadedBy(modules).map((file) => file.split('/')[0] ?? ''))];
}

test('migrations load neither validators nor TypeORM', () => {
  const packages = packagesLoadedBy([...migrated, '@fiado/chassis/db/migrate']);
  expect(packages).toContain('pg');
  expect(packages).not.toContain('class-validator');
  expect(packages).not.toContain('typeorm');
});

test('no process loads an index that brings what nobody uses', () => {
  const files = filesLoadedBy(programs);
  expect(files).toContain('express/index.js');
  const indexes = ['class-validator/cjs/index.js', 'undici/index.js', 'typeorm/index.js'];
  expect(files.filter((file) => indexes.includes(file))).toEqual([]);
});

test('processes that read no phone numbers load no numbering plans', () => {
  const modules = ['@fiado/transactions/service', '@fiado/payments/service', ...ownPrograms];
  expect(packagesLoadedBy(modules)).not.toContain('libphonenumber-js');
});
