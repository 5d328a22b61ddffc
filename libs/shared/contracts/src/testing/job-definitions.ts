import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { JobDefinition } from '../define';
import { executeChange } from '../jobs/changes';
import { applyDeposit } from '../jobs/debts';
import { issueInvoice } from '../jobs/issue-invoice';

const FOLDER = resolve(__dirname, '../jobs');

/** Jobs that processes of 1.0 send to themselves. They are understood, and nothing sends them any more. */
const SENT_BY_1_0 = new Set([applyDeposit, executeChange, issueInvoice].map(({ type }) => type));

/** The definitions of the jobs that this release sends. */
export async function sentJobs(): Promise<JobDefinition<object>[]> {
  return (await jobDefinitions()).filter(({ type }) => !SENT_BY_1_0.has(type));
}

/** The definition of every job: each file of jobs/ exports those of one subject. */
export async function jobDefinitions(): Promise<JobDefinition<object>[]> {
  const files = readdirSync(FOLDER).filter((name) => /^[\w-]+\.[jt]s$/.test(name));
  const modules: object[] = await Promise.all(files.map((name) => import(join(FOLDER, name))));
  return modules.flatMap((module, at) => {
    const definitions = definitionsIn(module);
    if (definitions.length === 0) throw new Error(`${files[at]} exports no job`);
    return definitions;
  });
}

function definitionsIn(exported: object): JobDefinition<object>[] {
  if (isDefinition(exported)) return [exported];
  const objects = Object.values(exported).filter((value) => typeof value === 'object');
  return objects.flatMap((value: object | null) => (value === null ? [] : definitionsIn(value)));
}

function isDefinition(value: unknown): value is JobDefinition<object> {
  return typeof value === 'object' && value !== null && 'producers' in value && 'queues' in value;
}
