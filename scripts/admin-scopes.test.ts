import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { documentPath } from '@fiado/chassis/openapi/document';
import { servedRoutes } from './served-routes';

const PAGE = resolve(__dirname, '../docs/operations/ops-keys.md');

/** Lines of a table such as "| `GET /admin/jobs` | viewer |". */
const LINE = /^\| `([A-Z]+ \/admin\/\S+)` +\| (\w+) +\|$/gm;

const adminRoutes = Object.values(servedRoutes)
  .flat()
  .filter(({ path }) => path.startsWith('/v1/admin/'));

it('every endpoint of ops requires the scope in docs/operations/ops-keys.md', () => {
  const served = adminRoutes.map(
    ({ method, path, scope }) => `${method.toUpperCase()} ${documentPath(path)}: ${scope}`,
  );
  const documented = [...readFileSync(PAGE, 'utf8').matchAll(LINE)].map(
    ([, endpoint, scope]) => `${endpoint}: ${scope}`,
  );
  // What several services serve, each for some of its paths, is one line.
  expect([...new Set(served)].sort()).toEqual(documented.sort());
});

it('only ops calls an endpoint of ops', () => {
  expect(adminRoutes.filter(({ allow }) => allow.join() !== 'ops')).toEqual([]);
});
