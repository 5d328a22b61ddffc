import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refusal } from './support/stand-in-api';
import { ID, OPS_KEY } from './support/run-fiado';
import { useApi } from './support/use-api';

const { api, fiado } = useApi();

test('fiado privacy package writes the copy for its owner alone, asks for none it cannot write, and says why there is none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fiado-package-'));
  const file = join(folder, 'copy.zip');
  const line = ['privacy', 'package', ID, file];
  try {
    api.on(`GET /privacy-requests/${ID}/package`, refusal(422, 'PRIVACY_PACKAGE_NOT_READY', 'No'));
    const early = await fiado(...line);
    expect([early.exitCode, early.stderr]).toEqual([
      1,
      expect.stringContaining('PRIVACY_PACKAGE_NOT_READY: No'),
    ]);
    api.on(`GET /privacy-requests/${ID}/package`, {
      headers: { 'content-type': 'application/zip' },
      body: 'PK content',
    });
    expect((await fiado(...line)).exitCode).toBe(0);
    expect(await readFile(file, 'utf8')).toBe('PK content');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(api.seen.at(-1)?.key).toBe(`Bearer ${OPS_KEY}`);
    expect((await fiado(...line)).exitCode).toBe(2);
    expect(api.seen).toHaveLength(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});
