import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPS_KEY, runFiado } from './support/run-fiado';
import { StandInApi } from './support/stand-in-api';

const LINKS = 2500;
const PAGE_SIZE = 1000;

/** The hash of a link of the chain that the stand-in has. */
const hashAt = (position: number): string => position.toString(16).padStart(64, '0');
const REWRITTEN = 'f'.repeat(64);

let api: StandInApi;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fiado-anchors-'));
  api = await new StandInApi().start();
  api.on('GET /audit/verify', ({ query: { cursor = '0', until } }) => {
    const page = { checked: 0, position: null, hash: null, break: null, nextCursor: null };
    if (cursor === 'entries') return { body: page };
    const end = Math.min(LINKS, Number(cursor) + PAGE_SIZE, Number(until ?? LINKS));
    const nextCursor = end === LINKS ? 'entries' : String(end);
    return { body: { ...page, position: end, hash: hashAt(end), nextCursor } };
  });
});
afterEach(async () => {
  await api.stop();
  await rm(folder, { recursive: true });
});

function jws(position: number, hash = hashAt(position)): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { position, hash, anchoredAt: '2026-11-22T06:00:00.000Z' };
  return `${part({ alg: 'EdDSA' })}.${part(claims)}.c2lnbmF0dXJl`;
}

const logLine = (anchor: string): string =>
  `accounts-1  | ${JSON.stringify({ level: 30, anchor, msg: 'audit chain anchored' })}`;

async function verify(...lines: string[]) {
  const file = join(folder, 'anchors.log');
  await writeFile(file, lines.join('\n'));
  const env = { BASE_URL: api.url, OPS_API_KEY: OPS_KEY };
  return runFiado(['audit', 'verify', '--anchors', file], env);
}

test('the chain agrees with lines of the log and of the file, in any order', async () => {
  const { exitCode, stdout } = await verify(
    logLine(jws(2400)),
    'accounts-1  | {"msg":"listening"}',
    jws(7),
    jws(1200),
    jws(1200),
    '',
  );
  expect([exitCode, stdout]).toEqual([
    0,
    'The chain of 2500 entries holds, and agrees with 4 kept anchors\n',
  ]);
});

test('- reads the anchors from stdin', async () => {
  const env = { BASE_URL: api.url, OPS_API_KEY: OPS_KEY };
  const args = ['audit', 'verify', '--anchors', '-'];
  const { stdout } = await runFiado(args, env, false, `${logLine(jws(1200))}\n`);
  expect(stdout).toContain('agrees with 1 kept anchors');
});

test('a chain that was rewritten differs between two anchors', async () => {
  const { exitCode, stdout } = await verify(jws(900), jws(1700, REWRITTEN), jws(2400, REWRITTEN));
  expect(exitCode).toBe(1);
  expect(stdout).toBe(
    'rewound at 901: Between position 901 and 1700 the chain is not the one that was anchored at 2026-11-22T06:00:00.000Z\n',
  );
});

test('a chain that was cut ends before an anchor', async () => {
  const { exitCode, stdout } = await verify(jws(2400), jws(2600));
  expect(exitCode).toBe(1);
  expect(stdout).toContain('rewound at 2500: The chain ends before position 2600');
});

test('a file without an anchor is wrong usage, and nothing is sent', async () => {
  const { exitCode, stderr } = await verify('{"msg":"listening"}', 'eyJh.eyJi.c');
  expect([exitCode, api.seen]).toEqual([2, []]);
  expect(stderr).toContain('has no anchor');
});
