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

/** A Docker whose database has so many wholesalers, and in which no migration runs. */
const dockerWith = (wholesalers: number) => `#!/bin/sh
case "$*" in
  *pg_tables*) echo 1 ;;
  *wholesalers*) echo ${wholesalers} ;;
  *migrate*) exit 1 ;;
esac
`;

/** Runs docker/restore until it migrates. @returns what production.env has then */
function restore(
  settings: string,
  { wholesalers = 0, env = {} }: { wholesalers?: number; env?: Record<string, string> } = {},
): string {
  for (const name of ['fiado.dump', 'uploads.tgz']) writeFileSync(join(folder, name), '-');
  const file = join(folder, 'production.env');
  writeFileSync(file, settings);
  writeFileSync(join(folder, 'docker'), dockerWith(wholesalers), { mode: 0o755 });

  const PATH = `${folder}${delimiter}${process.env.PATH}`;
  const { status } = spawnSync(RESTORE, [folder], { env: { PATH, PRODUCTION_ENV: file, ...env } });
  expect(status).toBe(1);
  return readFileSync(file, 'utf8');
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
