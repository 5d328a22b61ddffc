import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { JobDefinition } from '../define';

const FOLDER = resolve(__dirname, '../jobs');

/** The definition of every job: each file of jobs/ exports those of one subject. */
export async function jobDefinitions(): Promise<JobDefinition<object>[]> {
  const files = readdirSync(FOLDER).filter((name) => /^[\w-]+\.[jt]s$/.test(name));
  const modules: object[] = await Promise.all(files.map((name) => import(join(FOLDER, name))));
  return modules.flatMap((module, at) => {
    const definitions = Object.values(module).filter(isDefinition);
    if (definitions.length === 0) throw new Error(`${files[at]} exports no job`);
    return definitions;
  });
}

function isDefinition(value: unknown): value is JobDefinition<object> {
  return typeof value === 'object' && value !== null && 'producers' in value && 'queues' in value;
}
