import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import { ConsoleConfig } from '../../../apps/console/src/config';
import { SERVICES } from '../../../apps/supervisor/src/services';
import { CHART } from './render';

/** Variables by the processes that read them. */
type Readers = Record<string, string[]>;

interface ChartLists {
  processes: Record<string, { port: number; queue?: boolean }>;
  made: Readers;
  settings: Readers;
  secrets: Readers;
  conditions: Record<string, string>;
  migration: string[];
}

/** processes.yaml of the chart. */
export const lists = parse(readFileSync(join(CHART, 'processes.yaml'), 'utf8'), {
  merge: true,
}) as ChartLists;

/** The configuration class of each process of the chart. */
export const CONFIGS = new Map<string, new () => object>([
  ...SERVICES.map(({ name, Config }) => [name, Config] as const),
  ['console', ConsoleConfig],
]);
