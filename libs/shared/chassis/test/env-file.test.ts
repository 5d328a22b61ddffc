import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { RUN_SOURCES } from '../src/testing/run-sources';

const APPS = resolve(__dirname, '../../../../apps');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fiado-env-file-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a program in the folder, as a person would who stands in it. */
function run(app: string, env: Record<string, string> = {}, args: string[] = []) {
  const ran = spawnSync(
    process.execPath,
    [...RUN_SOURCES, join(APPS, app, 'src/main.ts'), ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', ...env },
    },
  );
  return { code: ran.status, stderr: ran.stderr };
}

describe('.env in the current folder', () => {
  test('its variables reach npm start', () => {
    writeFileSync(join(folder, '.env'), 'PORT=not-a-port\n');
    const { code, stderr } = run('supervisor');
    expect(code).toBe(78);
    expect(stderr).toContain('PORT');
  });

  test('its variables reach npx fiado, and a variable that is set already wins', () => {
    writeFileSync(join(folder, '.env'), 'BASE_URL=ftp://127.0.0.1\nOPS_API_KEY=a-key\n');
    const list = ['corner-stores', 'list'];
    expect(run('cli', {}, list).stderr).toContain('the base URL must look like');
    const set = run('cli', { BASE_URL: 'http://127.0.0.1:1' }, list);
    expect(set.stderr).toContain('127.0.0.1:1');
  });

  test('a # that would end a value is refused with its line, and no value is shown', () => {
    const text = [
      '# A comment',
      'DATA_DIR=here # a comment',
      'OPS_API_KEY="of-ops#quoted" # a comment',
      "CODE_PEPPER='two",
      'A=lines#in-quotes',
      "end'",
      'TWILIO_AUTH_TOKEN=abc#def',
      ' export ENCRYPTION_KEY = #all',
    ];
    writeFileSync(join(folder, '.env'), text.join('\n'));
    const { code, stderr } = run('supervisor');
    expect([code, stderr]).toEqual([
      78,
      'Configuration refused:\n' +
        '  - .env, line 7: put the value of TWILIO_AUTH_TOKEN into quotes, because it has a #\n' +
        '  - .env, line 8: put the value of ENCRYPTION_KEY into quotes, because it has a #\n',
    ]);
  });

  test.each(['supervisor', 'cli', 'demo'])(
    'one that cannot be read ends %s with its name',
    (app) => {
      mkdirSync(join(folder, '.env'));
      const { code, stderr } = run(app);
      expect(code).toBe(78);
      expect(stderr).toMatch(/^\.env cannot be read: /);
    },
  );
});
