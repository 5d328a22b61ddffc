import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFree, type TestHouse } from './house';

export function starts(house: TestHouse, service: string): number {
  return house.events().filter((event) => event.startsWith(`${service} started`)).length;
}

export function pidOf(house: TestHouse, service: string): number {
  const started = house.events().findLast((event) => event.startsWith(`${service} started`));
  return Number(started?.split(' ')[2]);
}

export function databasePid(house: TestHouse): number {
  const file = join(house.dataDir, 'postgres/data/postmaster.pid');
  return Number(readFileSync(file, 'utf8').split('\n')[0]);
}

export async function gatewayAnswers(house: TestHouse): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${house.ports['PORT']}/health/ready`);
  return response.ok;
}

export async function expectNothingLeft(house: TestHouse): Promise<void> {
  expect(existsSync(join(house.dataDir, 'postgres/data/postmaster.pid'))).toBe(false);
  const free = await Promise.all(Object.values(house.ports).map(isFree));
  expect(free).not.toContain(false);
  // Every process of this supervisor has its folder in its command line.
  const found = execFileSync('ps', ['-ww', '-eo', 'args'], { encoding: 'utf8' });
  expect(found.split('\n').filter((line) => line.includes(house.folder))).toEqual([]);
}
