import { ID } from './support/run-fiado';
import { refusal } from './support/stand-in-api';
import { useApi } from './support/use-api';

const { api, fiado } = useApi();

const REPORT = {
  erasureId: ID,
  phase: 'suppress',
  sha256: 'a'.repeat(64),
  recordedSha256: 'a'.repeat(64),
  auditedSha256: 'a'.repeat(64),
  holds: true,
};
const CLEAN = {
  privacyRequestId: ID,
  holds: true,
  reports: [REPORT],
  left: [],
  unavailable: [] as string[],
};

const answers = (body: object): void =>
  api.on(`GET /privacy-requests/${ID}/verify`, { body: { ...CLEAN, ...body } });

test('fiado privacy verify prints that nothing is left', async () => {
  answers({});
  const { exitCode, stdout } = await fiado('privacy', 'verify', ID);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('as written, SHA-256 aaaa');
  expect(stdout).toContain('No service has data of the person');
});

test('it names what is left, and fails', async () => {
  const left = [{ service: 'payments', table: 'deposits', column: 'body', rows: 2 }];
  answers({ holds: false, left, unavailable: ['notifier'] });
  const { exitCode, stdout } = await fiado('privacy', 'verify', ID);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('LEFT: payments deposits.body: 2');
});

test('it names a report that was changed, and fails', async () => {
  const reports = [{ ...REPORT, sha256: 'b'.repeat(64), auditedSha256: null, holds: false }];
  answers({ holds: false, reports });
  const { exitCode, stdout, stderr } = await fiado('privacy', 'verify', ID);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/CHANGED: its SHA-256 is b+, recorded a+, audited -/);
  expect(stderr).toContain('a report is not as it was written');
});

test('a service that could not be asked is named, with the exit code of an unavailable API', async () => {
  answers({ holds: false, unavailable: ['notifier'] });
  const { exitCode, stdout, stderr } = await fiado('privacy', 'verify', ID);
  expect(exitCode).toBe(3);
  expect(stdout).toContain('No service that could be asked has data');
  expect(stderr).toContain('could not be asked: notifier');
});

test('without anything erased the API refuses', async () => {
  api.on(`GET /privacy-requests/${ID}/verify`, refusal(422, 'NOTHING_ERASED_YET', 'Not yet'));
  const { exitCode, stderr } = await fiado('privacy', 'verify', ID);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('NOTHING_ERASED_YET')]);
});
