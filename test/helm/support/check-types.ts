import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { KubernetesObject } from './render';

const TSC = join(require.resolve('typescript/package.json'), '../bin/tsc');

/** Packages of the types by API group, where that is not Kubernetes' own. */
const PACKAGES: Record<string, string> = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

/**
 * Checks objects against the types of their kinds: a missing, a wrong and an unknown field alike. As
 * literals in a program they get the compiler's check for excess properties, which validators of
 * Kubernetes' schemas do not make.
 * @param types a folder with the types in its `node_modules`
 * @param objects by the name of their value set
 * @returns what is wrong, with the object's name
 */
export function typeErrorsOf(types: string, objects: Record<string, KubernetesObject[]>): string[] {
  const all = Object.entries(objects).flatMap(([set, ones]) => ones.map((one) => ({ set, one })));
  // One object a line, so that the line of an error names the object.
  const lines = all.map(({ one: { apiVersion, kind, ...rest } }) => {
    const [group = ''] = apiVersion.split('/');
    const module = `${PACKAGES[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
    const literal = JSON.stringify({ apiVersion, kind, ...rest });
    return `void (${literal} satisfies import('${module}').I${kind});`;
  });
  const folder = mkdtempSync(join(types, 'check-'));
  try {
    writeFileSync(join(folder, 'objects.mts'), lines.join('\n'));
    const options = '--noEmit --strict --skipLibCheck --module nodenext --target es2022';
    execFileSync(process.execPath, [TSC, ...options.split(' '), 'objects.mts'], {
      cwd: folder,
      stdio: 'pipe',
    });
    return [];
  } catch (error) {
    const printed = String((error as { stdout?: Buffer }).stdout ?? error);
    return printed.split('\n').flatMap((line) => {
      const [, at, text] = /^objects\.mts\((\d+),\d+\): (.*)$/.exec(line) ?? [];
      if (at === undefined) return line.startsWith(' ') || line === '' ? [] : [line];
      const { set, one } = all[Number(at) - 1] ?? {};
      return [`${set}: ${one?.kind} ${one?.metadata.name}: ${text}`];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
