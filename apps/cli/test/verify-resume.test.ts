import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES } from '@fiado/contracts/process-names';
import {
  page,
  startStandInServices,
  storeId,
  STORES,
  type StandInServices,
} from './support/verify-services';

let services: StandInServices;
beforeEach(async () => {
  services = await startStandInServices();
});
afterEach(() => services.api.stop());

describe('--resume', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fiado-verify-'));
    file = join(folder, 'position.json');
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('an interrupted run continues with its ranges, stores, violations and period', async () => {
    services.reports.ranges[0] = [
      { name: 'sums add up', holds: false, violations: [{ id: 'first' }] },
    ];
    Object.assign(services.reports.transactions[1] ?? {}, { usedCents: 1 });
    const { api } = services;
    // The run ends at the second page of payments.
    api.on('GET /invariants/payments/corner-stores', (request) =>
      request.query['cursor'] === undefined
        ? page(services.reports.payments, request)
        : { status: 400, body: { statusCode: 400, message: ['no'], error: 'Bad Request' } },
    );
    expect((await services.verify('--resume', file, '--days', '7')).exitCode).toBe(1);
    const since = (JSON.parse(await readFile(file, 'utf8')) as { since: string }).since;

    api.on('GET /invariants/payments/corner-stores', (request) =>
      page(services.reports.payments, request),
    );
    api.seen.length = 0;
    const { exitCode, stdout } = await services.verify('--resume', file, '--settle', '0', '--json');
    expect(exitCode).toBe(1);
    const report = JSON.parse(stdout) as {
      cornerStores: number;
      checks: Array<{ service: string; holds: boolean; violations: object[] }>;
    };
    // Nothing that was done is done again.
    expect(api.seen.filter(({ path }) => path.endsWith('invariants/accounts'))).toEqual([]);
    const checks = api.seen.filter(({ path }) => path.includes('/invariants/'));
    expect(new Set(checks.map(({ query }) => query['since']))).toEqual(new Set([since]));
    expect(report.cornerStores).toBe(STORES);
    const broken = report.checks.filter(({ holds }) => !holds);
    expect(broken.map(({ violations }) => violations[0])).toEqual([
      ...SERVICES.map(() => ({ id: 'first' })),
      expect.objectContaining({ cornerStoreId: storeId(1) }),
    ]);
    // It is over, so the next run begins anew.
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  test.each(['{', '{}', '[]', 'null'])('a file with %s is refused', async (text) => {
    await writeFile(file, text);
    const { exitCode, stderr } = await services.verify('--resume', file);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `fiado: ${file} is not the position of a verify\n`,
    });
    expect(await readFile(file, 'utf8')).toBe(text);
  });
});
