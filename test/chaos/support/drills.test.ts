import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { alertOf } from '../drills/alert-of';
import { GROUNDS } from '../drills/grounds';

const ROOT = resolve(__dirname, '../../..');
const read = (path: string) => readFileSync(resolve(ROOT, path), 'utf8');

const faults = GROUNDS.flatMap((ground) => Object.entries(ground.faults));
const rows = read('docs/operations/drills.md').match(/^\| 20.*$/gm) ?? [];

it('each fault has a row with its alert in docs/operations/drills.md, and each row has a fault', () => {
  for (const [name, { runbook }] of faults) {
    const row = rows.find((line) => line.includes(`| ${name}, `));
    expect([name, row?.endsWith(`| ${alertOf(runbook)} |`)]).toEqual([name, true]);
  }
  expect(rows).toHaveLength(faults.length);
});

it('each alert of a fault is one of ops/prometheus/alerts.yml', () => {
  const alerts = read('ops/prometheus/alerts.yml').match(/(?<=alert: )\w+/g);
  for (const [, { runbook }] of faults) {
    expect(alerts).toContain(/^\[(\w+)\]/.exec(alertOf(runbook))?.[1]);
  }
});
