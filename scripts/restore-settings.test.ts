import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

const RESTORE = resolve(__dirname, '../docker/restore');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiado-restore-settings-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** A Docker whose database has so many wholesalers, and whose migrations end with that code. */
const dockerWith = (wholesalers: number, migrated: 0 | 1) => `#!/bin/sh
case "$*" in
  *pg_tables*) echo 1 ;;
  *wholesalers*) echo ${wholesalers} ;;
  *migrate*) exit ${migrated} ;;
esac
`;

/** Runs docker/restore until it migrates. @returns what production.env has then */
function restore(
  settings: string,
  { wholesalers = 0, env = {} }: { wholesalers?: number; env?: Record<string, string> } = {},
): string {
  const file = join(folder, 'production.env');
  writeFileSync(file, settings);
  const { status } = run(dockerWith(wholesalers, 1), { PRODUCTION_ENV: file, ...env });
  expect(status).toBe(1);
  return readFileSync(file, 'utf8');
}

/** Runs docker/restore with that program as Docker. */
function run(docker: string, env: Record<string, string>) {
  for (const name of ['fiado.dump', 'uploads.tgz']) writeFileSync(join(folder, name), '-');
  writeFileSync(join(folder, 'docker'), docker, { mode: 0o755 });
  const PATH = `${folder}${delimiter}${process.env.PATH}`;
  return spawnSync(RESTORE, [folder], { env: { PATH, ...env }, encoding: 'utf8' });
}

const PRODUCTION = 'FIADO_MODE=production\n';

it.each([
  ['says nothing', ''],
  ['says that everything is sent', 'OUTGOING=on\n'],
])('a restore holds SMS and webhooks back where production.env %s', (_, line) => {
  expect(restore(PRODUCTION + line)).toBe(`${PRODUCTION}\nOUTGOING=held\n`);
});

it('a restore that is told to send at once writes so', () => {
  const written = restore(`${PRODUCTION}OUTGOING=held\n`, { env: { OUTGOING: 'on' } });
  expect(written).toBe(`${PRODUCTION}\nOUTGOING=on\n`);
});

it('a restore that is refused because the database is in use changes nothing', () => {
  expect(restore(PRODUCTION, { wholesalers: 1 })).toBe(PRODUCTION);
});

it('a restore of a sandbox ends with the command that lets it send', () => {
  const { stdout } = run(dockerWith(0, 0), { COMPOSE: 'docker compose' });
  expect(stdout).toMatch(/When it takes over, run: docker compose up -d\n$/);
});
