import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { RUN_SOURCES } from '@fiado/chassis/testing/run-sources';

const PRELOAD = resolve(__dirname, '../test/support/time-ahead.cjs');
const DAY_MS = 24 * 60 * 60_000;

function testDates(args: string[], env: Record<string, string> = {}) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [...RUN_SOURCES, resolve(__dirname, 'test-dates/main.ts'), ...args],
    { encoding: 'utf8', env: { ...process.env, ...env } },
  );
  return { status, stderr };
}

// The test may run on another day itself.
const { TEST_SECONDS_AHEAD: ownSeconds = '0' } = process.env;
const ANOTHER_DAY = Math.round((Date.now() - Number(ownSeconds) * 1_000) / DAY_MS) + 400;

/** @returns the lines that a program prints 400 days ahead */
function onAnotherDay(program: string): string[] {
  const { stdout } = spawnSync(process.execPath, ['-e', program], {
    encoding: 'utf8',
    env: {
      ...process.env,
      NODE_OPTIONS: `--require ${PRELOAD}`,
      TEST_SECONDS_AHEAD: String(400 * 86_400),
    },
  });
  return stdout.trim().split('\n');
}

it.each(['', '+0d', '-1d', '2027-02-29', '2020-01-01', '2020-01-01T05:58Z', 'services'])(
  'a run on another day is refused for the day "%s"',
  (day) => {
    expect(testDates([day])).toEqual({
      status: 1,
      stderr: expect.stringContaining('Name a later day or moment'),
    });
  },
);

it('a run on another day without a C compiler tells what is missing', () => {
  expect(testDates(['+40d'], { PATH: '' })).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^A C compiler is missing, .*\n$/),
  });
});

it('a process of another day has its clock and its times of files, and so has a child without variables', () => {
  const program = `
    const { spawn } = require('node:child_process');
    const { mkdtemp, rmdir, stat, utimes } = require('node:fs/promises');
    void (async () => {
      const folder = await mkdtemp(require('node:os').tmpdir() + '/fiado-dates-');
      const { mtime } = await stat(folder);
      await utimes(folder, 0, 1_800_000_000);
      const { mtimeMs } = await stat(folder);
      await rmdir(folder);
      const times = [Date.now(), new Date(), Date(), mtime].map((time) => Number(new Date(time)));
      console.log(JSON.stringify({ times, fixed: [mtimeMs, Number(new Date(2))] }));
      if (process.argv[1] !== undefined) return;
      const program = process.execArgv.at(-1);
      spawn(process.execPath, ['-e', program, 'child'], { stdio: 'inherit', env: {} });
    })();`;
  const processes = onAnotherDay(program);
  expect(processes).toHaveLength(2);
  for (const line of processes) {
    const { times, fixed } = JSON.parse(line) as Record<'times' | 'fixed', number[]>;
    expect(times.map((time) => Math.round(time / DAY_MS))).toEqual(Array(4).fill(ANOTHER_DAY));
    expect(fixed).toEqual([1_800_000_000_000, 2]);
  }
});

it('the answers of a server of another day keep repeated headers, and have one date, of that day', () => {
  const program = `
    const server = require('node:http').createServer((request, response) => {
      const date = request.url === '/own' ? ['Date', new Date(2).toUTCString()] : [];
      response.writeHead(200, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', ...date]).end();
    });
    server.listen(0, '127.0.0.1', async () => {
      for (const path of ['/', '/own']) {
        const { headers } = await fetch('http://127.0.0.1:' + server.address().port + path);
        console.log(JSON.stringify([headers.getSetCookie(), headers.get('date')]));
      }
      server.close();
    });`;
  const answers = onAnotherDay(program).map((line) => JSON.parse(line) as [string[], string]);
  expect(answers.map(([cookies]) => cookies)).toEqual([
    ['a=1', 'b=2'],
    ['a=1', 'b=2'],
  ]);
  const [date, own] = answers.map(([, text]) => Date.parse(text));
  expect(Math.round(Number(date) / DAY_MS)).toBe(ANOTHER_DAY);
  expect(own).toBe(0);
});
