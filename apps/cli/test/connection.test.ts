import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPS_KEY, runFiado } from './support/run-fiado';
import { notValid, refusal, StandInApi } from './support/stand-in-api';
import { useApi } from './support/use-api';

const LIST = ['corner-stores', 'list'];
const EMPTY = { body: { cornerStores: [], nextCursor: null } };

const { api, env } = useApi();

describe('where and as whom', () => {
  test('the options come before the environment, and the version may stand in the URL', async () => {
    api.on('GET /corner-stores', EMPTY);
    const options = ['--base-url', `${api.url}/v1/`, '--ops-key', 'fiado_test_another'];
    const ran = await runFiado([...LIST, ...options], { ...env, BASE_URL: 'http://127.0.0.1:1' });
    expect(ran).toEqual({ exitCode: 0, stdout: 'none\n', stderr: '' });
    expect(api.seen[0]?.key).toBe('Bearer fiado_test_another');
  });

  test('a sandbox on the same machine has left its key in the data folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fiado-cli-'));
    await writeFile(join(folder, 'secrets.json'), JSON.stringify({ OPS_API_KEY: 'from-the-file' }));
    api.on('GET /corner-stores', EMPTY);
    await runFiado(LIST, { BASE_URL: api.url, DATA_DIR: folder });
    expect(api.seen[0]?.key).toBe('Bearer from-the-file');
    await rm(folder, { recursive: true });
  });

  test('the address of the running system is in the data folder, after BASE_URL', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fiado-cli-'));
    await writeFile(join(folder, 'address.json'), JSON.stringify({ baseUrl: api.url }));
    api.on('GET /corner-stores', EMPTY);
    const there = { OPS_API_KEY: OPS_KEY, DATA_DIR: folder };
    expect((await runFiado(LIST, there)).exitCode).toBe(0);
    const elsewhere = { ...there, BASE_URL: 'http://127.0.0.1:1' };
    expect((await runFiado(LIST, elsewhere)).exitCode).toBe(3);
    await rm(folder, { recursive: true });
  });

  test('--version prints the version without a call', async () => {
    const ran = await runFiado(['--version'], {});
    expect(ran).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
  });

  test.each([
    [['--base-url', 'ftp://x'], /base URL must look like/],
    [['--base-url', 'http://user:word@x'], /base URL must look like/],
    [['--ops-key', 'no\nkey'], /contains invalid characters/],
  ])('%j is wrong usage', async (options, text) => {
    const { exitCode, stderr } = await runFiado([...LIST, ...options], env);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(text);
  });

  test('without any key nothing is sent', async () => {
    const ran = await runFiado(LIST, { BASE_URL: api.url, DATA_DIR: '/nowhere' });
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toMatch(/^fiado: no ops key: use --ops-key or OPS_API_KEY/);
    expect(api.seen).toEqual([]);
  });
});

describe('what the API answers', () => {
  test('its error is one line on stderr, and exit code 1', async () => {
    api.on('GET /corner-stores', refusal(401, 'UNAUTHORIZED', 'The credential is not valid'));
    const ran = await runFiado([...LIST, '--json'], env);
    expect(ran).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'fiado: UNAUTHORIZED: The credential is not valid\n',
    });
  });

  test('each problem of a request has a line', async () => {
    api.on('GET /corner-stores', notValid('status must be known', 'cursor must be one'));
    const { stderr } = await runFiado(LIST, env);
    expect(stderr).toBe(
      'fiado: VALIDATION_FAILED: the request is not valid\n  status must be known\n  cursor must be one\n',
    );
  });

  test('an error of the API shows the request id', async () => {
    const answer = refusal(500, 'INTERNAL_ERROR', 'Internal server error');
    api.on('GET /corner-stores', { ...answer, headers: { 'x-request-id': 'r-1' } });
    const { exitCode, stderr } = await runFiado(LIST, env);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/\(request r-1\)$/m);
  });

  test('a request over the rate or to an absent service is sent again after Retry-After', async () => {
    const answers = [
      { ...refusal(429, 'RATE_LIMIT_EXCEEDED', 'Too many'), headers: { 'retry-after': '0' } },
      { ...refusal(503, 'SERVICE_UNAVAILABLE', 'Away'), headers: { 'retry-after': '0' } },
      EMPTY,
    ];
    api.on('GET /corner-stores', () => answers.shift() ?? EMPTY);
    expect((await runFiado(LIST, env)).exitCode).toBe(0);
    expect(api.seen).toHaveLength(3);
  });

  test('a command whose answer was lost is not repeated', async () => {
    const away = {
      ...refusal(503, 'SERVICE_UNAVAILABLE', 'Away'),
      headers: { 'retry-after': '0' },
    };
    api.on('POST /payment-providers', away);
    const ran = await runFiado(['providers', 'create', '--name', 'pagos'], env);
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).toMatch(
      /^fiado: SERVICE_UNAVAILABLE: Away; the request may have taken effect/,
    );
    expect(api.seen).toHaveLength(1);
  });

  test('a redirect is not followed, so the key is not sent elsewhere', async () => {
    const other = await new StandInApi().start();
    api.on('GET /corner-stores', { status: 302, headers: { location: `${other.url}/v1/admin/x` } });
    expect((await runFiado(LIST, env)).exitCode).toBe(3);
    expect(other.seen).toEqual([]);
    await other.stop();
  });

  test('an address where nothing listens is exit code 3', async () => {
    const silent = await new StandInApi().start();
    const gone = silent.url;
    await silent.stop();
    const { exitCode, stderr } = await runFiado(LIST, { ...env, BASE_URL: gone });
    expect(exitCode).toBe(3);
    expect(stderr).toBe(`fiado: listCornerStores: no answer from ${gone} (ECONNREFUSED)\n`);
  });

  test('another program at the address is exit code 3', async () => {
    api.on('GET /corner-stores', { status: 404, body: 'Not here' });
    const { exitCode, stderr } = await runFiado(LIST, env);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/this is no answer of Fiado; check baseUrl \(status 404\)/);
  });
});
