import { spawnSync } from 'node:child_process';
import { RUN_SOURCES } from '@fiado/chassis/testing/run-sources';

const SCHEMAS = ['accounts', 'transactions', 'payments', 'notifier'].map(
  (name) => `@fiado/${name}/db/schema`,
);

/** A start of the sandbox loads them in a process of its own, which takes longer to load those than to find all up to date. */
test('the schemas load neither validators nor TypeORM', () => {
  const program = `
    for (const name of ${JSON.stringify([...SCHEMAS, '@fiado/chassis/db/migrate'])}) require(name);
    const packages = Object.keys(require.cache).map((file) => file.split('node_modules/').at(-1).split('/')[0]);
    console.log(JSON.stringify([...new Set(packages)]));`;
  const { stdout, stderr } = spawnSync(process.execPath, [...RUN_SOURCES, '-e', program], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const packages = JSON.parse(stdout) as string[];
  expect(packages).toContain('pg');
  expect(packages).not.toContain('class-validator');
  expect(packages).not.toContain('typeorm');
});
