import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../../..');

/** Of processes that run for long, or that migrate; `fiado-check` is a tool of integrators. */
const MAIN_PROGRAMS = ['services', 'apps']
  .flatMap((folder) => readdirSync(resolve(ROOT, folder)).map((name) => `${folder}/${name}`))
  .flatMap((workspace) => [`${workspace}/src/main.ts`, `${workspace}/src/containers/main.ts`])
  .concat('services/accounts/src/documents/clean-images.ts')
  .filter((file) => existsSync(resolve(ROOT, file)) && !file.startsWith('apps/check/'));

it('each main program listens for user signals before it loads anything else', () => {
  expect(MAIN_PROGRAMS.length).toBeGreaterThan(9);
  const others = MAIN_PROGRAMS.filter((file) => {
    const [first] = readFileSync(resolve(ROOT, file), 'utf8').match(/^import .*$/m) ?? [];
    return first !== `import '@fiado/chassis/process-setup';`;
  });
  expect(others).toEqual([]);
});

it('a process that does so opens no debugger for SIGUSR1, and lives on after SIGUSR2', async () => {
  const code = `require(${JSON.stringify(resolve(__dirname, 'process-setup'))});
    process.stdin.resume().on('end', () => process.exit(7));
    process.stdout.write('ready');`;
  const register = resolve(ROOT, 'test/support/register-sources.cjs');
  const child = spawn(process.execPath, ['--require', register, '--eval', code]);
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await once(child.stdout, 'data');
  for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGUSR1'] as const) child.kill(signal);
  child.stdin.end();
  const [exitCode] = (await once(child, 'close')) as [number | null];
  expect([exitCode, printed]).toEqual([7, '']);
});
