import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The list of the licences of all runtime packages. */
export const LICENCES_PAGE = 'docs/licences.md';

const ROOT = resolve(__dirname, '../..');

/** What a licence that is not permissive asks for, and how it is met. */
const ABOUT: Record<string, string> = {
  'LGPL-3.0-or-later':
    'libvips, which decodes and encodes pictures. It is a shared library of its own, which `sharp` loads when it runs: ' +
    'whoever distributes an image of Fiado passes on this licence and the offer of its source ' +
    '(<https://github.com/lovell/sharp-libvips>), and the library may be replaced by another build.',
};

interface Lock {
  packages: Record<string, { version?: string; license?: string; dev?: boolean; link?: boolean }>;
}

/** The page, from the lock file. @throws Error for a package that names no licence */
export function licencesPage(lock: Lock): string {
  const packages = new Map<string, Set<string>>();
  for (const [path, { version = '', license, dev, link }] of Object.entries(lock.packages)) {
    const name = path.split('node_modules/').slice(1).at(-1);
    if (name === undefined || dev === true || link === true) continue;
    if (license === undefined) throw new Error(`${path} names no licence`);
    packages.set(license, (packages.get(license) ?? new Set()).add(`${name} ${version}`));
  }
  const parts = [...packages].toSorted(([one], [other]) => one.localeCompare(other));
  return `# Licences

The licences of all packages that Fiado runs with, from the lock file; \`npm run generate\` writes this page. The packages
of pictures (\`@img/…\`) are those of every platform: an image has one of them.

${parts.map(([license, names]) => partOf(license, [...names])).join('\n\n')}
`;
}

function partOf(license: string, names: string[]): string {
  const about = Object.entries(ABOUT).find(([name]) => license.includes(name))?.[1];
  const list = names.toSorted((one, other) => one.localeCompare(other)).join(', ');
  return [`## ${license}`, ...(about === undefined ? [] : [about]), list].join('\n\n');
}

/** @param root of the repository */
export function readLock(root: string): Lock {
  return JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8')) as Lock;
}

if (require.main === module) {
  writeFileSync(resolve(ROOT, LICENCES_PAGE), licencesPage(readLock(ROOT)));
}
