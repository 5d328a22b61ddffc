import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@fiado/chassis/testing/until';
import { isFree, type TestInstallation } from './installation';

export function starts(installation: TestInstallation, service: string): number {
  return installation.events().filter((event) => event.startsWith(`${service} started`)).length;
}

export function pidOf(installation: TestInstallation, service: string): number {
  const started = installation.events().findLast((event) => event.startsWith(`${service} started`));
  return Number(started?.split(' ')[2]);
}

export function databasePid(installation: TestInstallation): number {
  const file = join(installation.dataDir, 'postgres/data/postmaster.pid');
  return Number(readFileSync(file, 'utf8').split('\n')[0]);
}

export async function gatewayAnswers(installation: TestInstallation): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${installation.ports['PORT']}/health/ready`);
  return response.ok;
}

export async function untilConsoleAnswers(installation: TestInstallation): Promise<void> {
  const url = `http://127.0.0.1:${installation.ports['CONSOLE_PORT']}`;
  await until('the console answers', () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
}

export async function expectNothingLeft(installation: TestInstallation): Promise<void> {
  expect(existsSync(join(installation.dataDir, 'postgres/data/postmaster.pid'))).toBe(false);
  const free = await Promise.all(Object.values(installation.ports).map(isFree));
  expect(free).not.toContain(false);
  // Every process of this supervisor has its folder in its command line.
  const found = execFileSync('ps', ['-ww', '-eo', 'args'], { encoding: 'utf8' });
  expect(found.split('\n').filter((line) => line.includes(installation.folder))).toEqual([]);
}
