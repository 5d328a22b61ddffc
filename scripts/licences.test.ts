import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { LICENCES_PAGE, licencesPage, readLock } from './licences';

const ROOT = resolve(__dirname, '..');

it(`${LICENCES_PAGE} has the licence of each runtime package, as \`npm run generate\` writes it`, () => {
  const page = readFileSync(resolve(ROOT, LICENCES_PAGE), 'utf8');
  expect(page).toBe(licencesPage(readLock(ROOT)));
  expect(page).toMatch(/## LGPL-3\.0-or-later\n\nlibvips/);
});

it('a package that names no licence is an error', () => {
  const packages = { 'node_modules/unknown': { version: '1.0.0' } };
  expect(() => licencesPage({ packages })).toThrow('node_modules/unknown names no licence');
});

it('no package of this repository can be published to a registry', () => {
  const { packages } = JSON.parse(readFileSync(resolve(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { name?: string }>;
  };
  const own = Object.keys(packages).filter((path) => !path.includes('node_modules/'));
  const published = own.filter((path) => {
    const manifest = readFileSync(resolve(ROOT, path, 'package.json'), 'utf8');
    return (JSON.parse(manifest) as { private?: boolean }).private !== true;
  });

  expect(own.length).toBeGreaterThan(10);
  expect(published).toEqual([]);
});
