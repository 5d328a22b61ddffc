import { spawnSync } from 'node:child_process';
import { RUN_SOURCES } from '@fiado/chassis/testing/run-sources';

const SCHEMAS = ['accounts', 'transactions', 'payments', 'notifier'].map(
  (name) => `@fiado/${name}/db/schema`,
);

/** `npm start` migrates in a process of its own. To load both took longer than to find that all schemas are up to date. */
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
