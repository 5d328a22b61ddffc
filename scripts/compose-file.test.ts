import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

interface Service {
  init?: boolean;
  healthcheck?: { test?: string[]; interval?: string; timeout?: string; disable?: boolean };
  restart?: string;
  read_only?: boolean;
  volumes?: string[];
}

const ROOT = resolve(__dirname, '..');
const read = (file: string) => readFileSync(resolve(ROOT, file), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
};
const services = Object.entries(compose.services);
const seconds = (text = '0s') => Number(/^(\d+)s$/.exec(text)?.[1]);

/**
 * A check by a shell that outlives its time-out leaves its child to process 1. The postmaster takes
 * an unknown child that dies for a crash, and restarts all of Postgres.
 */
it('no health check uses a shell without an init process', () => {
  const checked = services.filter(([, { healthcheck }]) => healthcheck?.test !== undefined);
  expect(checked.map(([name]) => name)).toEqual(expect.arrayContaining(['postgres', 'redis']));
  for (const [name, { healthcheck, init }] of checked) {
    expect([name, healthcheck?.test?.[0], init]).toEqual([name, 'CMD', true]);
    expect([name, seconds(healthcheck?.timeout) >= 10]).toEqual([name, true]);
    expect([name, seconds(healthcheck?.interval) >= 5]).toEqual([name, true]);
  }
});

it('the health check of our own containers starts no Node process, and is rare', () => {
  const check = /^HEALTHCHECK .*--interval=(\d+)s .*CMD (.*)$/m.exec(read('Dockerfile'));
  expect(Number(check?.[1])).toBeGreaterThanOrEqual(10);
  expect(check?.[2]).toBe('["docker/healthcheck.sh"]');
  expect(read('docker/healthcheck.sh')).not.toMatch(/^[^#]*\bnode\b/m);
});

it('each anchor is defined once, which docker-compose 1.29 requires', () => {
  const anchors: string[] = read('docker-compose.yml').match(/(?<=: )&[\w-]+/g) ?? [];
  expect(anchors).toContain('&hardened');
  expect(anchors.filter((anchor, at) => anchors.indexOf(anchor) !== at)).toEqual([]);
});

/** Folders below DATA_DIR. */
const WRITTEN_BY_ACCOUNTS = ['/data/uploads', '/data/audit-anchors'];

it('accounts has a volume for each folder that it writes to, which belongs to its user', () => {
  const { read_only: isReadOnly, volumes = [] } = compose.services.accounts ?? {};
  const writable = volumes.filter((volume) => !volume.endsWith(':ro'));
  expect(isReadOnly).toBe(true);
  expect(writable.map((volume) => volume.split(':')[1])).toEqual(WRITTEN_BY_ACCOUNTS);
  expect(read('Dockerfile')).toContain(
    `mkdir -p ${WRITTEN_BY_ACCOUNTS.join(' ')} && chown -R node:node`,
  );
});

it('the example of production names a version of the image', () => {
  expect(read('production.env.example')).toMatch(/^FIADO_IMAGE=[\w/.-]+:\d+\.\d+\.\d+$/m);
});
