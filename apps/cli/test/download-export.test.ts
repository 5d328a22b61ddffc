import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';
import { ID } from './support/run-fiado';
import { useApi } from './support/use-api';

const TEXT = 'transactionId,totalAmount\n'.repeat(100);
const HALF = TEXT.length / 2;
const ETAG = '"one"';

const { api, fiado } = useApi();

describe('fiado exports download', () => {
  let files: StandIn;
  let folder: string;
  const ranges: Array<string | undefined> = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fiado-exports-'));
    // The first answer ends in the middle.
    files = await startStandIn(({ headers }, res) => {
      ranges.push(headers.range);
      if (headers.range === undefined) {
        res.writeHead(200, { etag: ETAG, 'content-length': TEXT.length });
        res.write(TEXT.slice(0, HALF), () => setTimeout(() => res.destroy(), 100));
        return;
      }
      res.writeHead(206, { etag: ETAG });
      res.end(TEXT.slice(HALF));
    });
  });
  afterAll(async () => {
    await files.stop();
    await rm(folder, { recursive: true });
  });

  function ready(sha256: string): void {
    const path = `/exports/orders/${ID}`;
    let looks = 0;
    api.on(`GET ${path}`, () => {
      looks += 1;
      const status = looks === 1 ? 'running' : 'ready';
      return { body: { status, format: 'csv', rows: 100, bytes: TEXT.length, sha256 } };
    });
    api.on(`POST ${path}/link`, { status: 201, body: { url: `${files.url}/file` } });
  }

  it('waits for the file, continues after a cut, and never overwrites', async () => {
    ready(createHash('sha256').update(TEXT).digest('hex'));
    const output = join(folder, 'orders.csv');
    const line = ['exports', 'download', 'orders', ID, '--output', output];

    const { exitCode, stderr } = await fiado(...line);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(await readFile(output, 'utf8')).toBe(TEXT);
    expect(ranges).toEqual([undefined, `bytes=${HALF}-`]);

    const again = await fiado(...line);
    expect(again.exitCode).not.toBe(0);
    expect(again.stderr).toContain('exists already');
  });

  it('gives no file its name that is not what was exported', async () => {
    ready('0'.repeat(64));
    const output = join(folder, 'other.csv');
    const { exitCode, stderr } = await fiado(
      'exports',
      'download',
      'orders',
      ID,
      '--output',
      output,
    );
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('is not what was exported');
    expect(await readdir(folder)).not.toContain('other.csv');
  });
});
