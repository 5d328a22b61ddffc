import { servedRoutes } from './served-routes';

it('only ops calls an endpoint of ops, each with a scope', () => {
  const served = Object.values(servedRoutes)
    .flat()
    .filter(({ path }) => path.startsWith('/v1/admin/'));
  expect(served.length).toBeGreaterThan(100);
  expect(
    served.filter(({ allow, scope }) => allow.join() !== 'ops' || scope === undefined),
  ).toEqual([]);
});
