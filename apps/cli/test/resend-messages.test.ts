import { runFiado } from './support/run-fiado';
import { useApi } from './support/use-api';

const { api, env, fiado } = useApi();

const SINCE = '2026-09-21T16:00:00Z';
const LINE = ['messages', 'resend', '--unknown', '--since', SINCE];

/** Two pages, as many in a dry run as without one. */
beforeEach(() => {
  api.on('POST /messages/resend', ({ body }) => ({
    body:
      body.cursor === undefined
        ? { unknown: 100, resent: 90, nextCursor: 'second' }
        : { unknown: 7, resent: 3, nextCursor: null },
  }));
});

const dryRuns = () => api.seen.map(({ body }) => body.dryRun as boolean);

test('a dry run counts all pages and sends nothing', async () => {
  const { exitCode, stdout } = await fiado(...LINE, '--dry-run');
  expect([exitCode, stdout]).toEqual([0, 'unknown  107\nresent   93\n']);
  expect(api.seen.map(({ body }) => body as object)).toEqual([
    { status: 'unknown', since: SINCE, dryRun: true },
    { status: 'unknown', since: SINCE, dryRun: true, cursor: 'second' },
  ]);
});

test('messages are sent once a person has seen their number and said yes', async () => {
  const { exitCode, stderr } = await runFiado(LINE, env, false, 'y\n');
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^Send 93 of 107 unknown messages again\? \[y\/N\] /);
  expect(dryRuns()).toEqual([true, true, false, false]);
});

test.each([['n\n'], ['\n'], ['']])('no message is sent after the answer %j', async (typed) => {
  expect((await runFiado(LINE, env, false, typed)).exitCode).toBe(1);
  expect(dryRuns()).toEqual([true, true]);
});

test('no message is sent where nobody can answer, unless --yes is given', async () => {
  expect((await fiado(...LINE)).exitCode).toBe(1);
  expect(dryRuns()).toEqual([true, true]);
  expect((await fiado(...LINE, '--yes')).exitCode).toBe(0);
  expect(dryRuns().slice(2)).toEqual([true, true, false, false]);
});

test('the help says what may be sent twice', async () => {
  const { stdout } = await fiado('messages', 'resend', '--help');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('a store may get the same SMS twice');
});
