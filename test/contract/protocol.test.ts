import { randomUUID } from 'node:crypto';
import { createProvider, createWholesaler } from '../e2e/support/story';
import { sharedSystem } from '../e2e/support/shared-system';
import { documentedRoutes, type DocumentedRoute } from './support/conformance';

/** GET endpoints of the interface specification: they ignore what they do not know. */
const OF_THE_SPECIFICATION = [
  'getCornerStore',
  'getDefaultInformation',
  'getTransactionByWholesalerId',
];

const system = sharedSystem();
let keys: Record<string, string>;
beforeAll(async () => {
  keys = {
    wholesaler: (await createWholesaler(system)).key,
    provider: (await createProvider(system)).key,
    ops: system.opsKey,
  };
});

const keyFor = ({ operation }: DocumentedRoute): string =>
  keys[operation['x-callers'][0] ?? ''] ?? '';

/** The path with ids that no object has. */
const pathOf = (path: string): string => path.replaceAll(/\{\w+\}/g, () => randomUUID());

const paths = [...new Set(documentedRoutes.map(({ path }) => path))];

it.each(paths)('%s answers another method with 405 and its own ones', async (path) => {
  const routes = documentedRoutes.filter((route) => route.path === path);
  const [key = ''] = routes.map(keyFor);

  const { status, body, headers } = await system.call(key, 'PATCH', pathOf(path));

  expect([status, body.errorCode]).toEqual([405, 'METHOD_NOT_ALLOWED']);
  const own = routes.flatMap(({ method }) =>
    method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  );
  expect(headers.get('allow')?.split(', ').sort()).toEqual(own.sort());
});

it.each(documentedRoutes.filter(({ method }) => method === 'get'))(
  'GET $path refuses an unknown query parameter, unless the specification has it and pages nothing',
  async (route) => {
    const answer = await system.call(keyFor(route), 'GET', `${pathOf(route.path)}?madeUp=1`);

    const isRefused =
      answer.status === 400 &&
      String(answer.body.message).includes('property madeUp should not exist');
    expect([isRefused, answer.text]).toEqual([
      // A misspelled page would be read as the first one, for ever.
      route.operation.operationId === 'getDefaultInformation' ||
        !OF_THE_SPECIFICATION.includes(route.operation.operationId),
      answer.text,
    ]);
  },
);

const LISTS = {
  wholesaler: ['/transaction', '/webhook-endpoints'],
  ops: ['/admin/deposits', '/admin/ops-keys', '/admin/webhook-endpoints'],
};

it.each(
  Object.entries(LISTS).flatMap(([caller, lists]) => lists.map((path) => ({ caller, path }))),
)('$path refuses a made-up cursor', async ({ caller, path }) => {
  const { status, body } = await system.call(
    keys[caller] ?? '',
    'GET',
    `${path}?cursor=${randomUUID()}`,
  );

  expect([status, body.message]).toEqual([400, ['cursor must be nextCursor of an earlier page']]);
});
