import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

const ROOT = resolve(__dirname, '../../../..');
const read = (file: string) => readFileSync(resolve(ROOT, file), 'utf8');

/** Folders below DATA_DIR that accounts writes to. Its file system is read-only otherwise. */
const WRITTEN = ['/data/uploads', '/data/audit-anchors'];

it('accounts has a volume for each folder that it writes to, which belongs to its user', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
    services: { accounts: { read_only: boolean; volumes: string[] } };
  };
  const { read_only: isReadOnly, volumes } = services.accounts;
  const targets = volumes.filter((volume) => !volume.endsWith(':ro'));

  expect(isReadOnly).toBe(true);
  expect(targets.map((volume) => volume.split(':')[1])).toEqual(WRITTEN);
  expect(read('Dockerfile')).toContain(`mkdir -p ${WRITTEN.join(' ')} && chown -R node:node`);
});
