import { randomUUID } from 'node:crypto';
import { sharedSystem } from '../e2e/support/shared-system';
import { documentedRoutes, type DocumentedRoute } from './support/conformance';
import { fieldsOf, withField } from './support/body-fields';
import { freshTarget, type FuzzTarget } from './support/fuzz-targets';
import { callOf } from './support/operation-inputs';
import { buildWorld, type World } from './support/world';

const UNIQUE_FIELDS = ['wholesalerTransactionId', 'claveDePago', 'name'];

const system = sharedSystem();
let world: World;
beforeAll(async () => {
  world = await buildWorld(system);
});

/** The status of the documented example whose field has this value. */
async function statusWith(
  route: DocumentedRoute,
  { key, ids }: FuzzTarget,
  path: string[],
  value: null | undefined,
): Promise<number> {
  // No two requests may name the same order, payment or provider.
  const unique = Object.fromEntries(UNIQUE_FIELDS.map((name) => [name, randomUUID()]));
  const call = callOf(route, { ...ids, ...unique });
  const body = withField(call.body, path, value);
  return (await system.call(key, call.method, call.path + queryOf(route), { body })).status;
}

function queryOf({ operation }: DocumentedRoute): string {
  if (operation.operationId !== 'recordDeposit') return '';
  return `?paymentProviderName=${encodeURIComponent(world.provider.name)}`;
}

const withBody = documentedRoutes.filter(({ operation }) => operation.requestBody !== undefined);

describe.each(
  withBody.map((route): [string, DocumentedRoute] => [route.operation.operationId, route]),
)('%s', (_id, route) => {
  const fields = fieldsOf(route);

  it('takes null in each optional field as absent', async () => {
    const optional = fields.filter(({ required }) => !required);
    const statuses = async (value: null | undefined): Promise<string[]> =>
      Promise.all(
        optional.map(async ({ path }) => {
          const target = await freshTarget(world, route);
          return `${path.join('.')} ${await statusWith(route, target, path, value)}`;
        }),
      );

    expect(await statuses(null)).toEqual(await statuses(undefined));
  });

  it('refuses null in each required field with 400', async () => {
    const target = await freshTarget(world, route);
    for (const { path } of fields.filter(({ required }) => required)) {
      const status = await statusWith(route, target, path, null);
      expect([path.join('.'), status]).toEqual([path.join('.'), 400]);
    }
  });
});

it('finds the optional fields in the document', () => {
  const optional = withBody.flatMap((route) =>
    fieldsOf(route)
      .filter(({ required }) => !required)
      .map(({ path }) => `${route.operation.operationId} ${path.join('.')}`),
  );
  expect(optional).toEqual(
    expect.arrayContaining([
      'createTransactions transactions.0.wholesalerTransactionId',
      'deliverTransaction deliveryWord',
      'createTransactionLink transaction.metadata',
    ]),
  );
});
