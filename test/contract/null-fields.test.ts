import { randomUUID } from 'node:crypto';
import type { JsonSchema } from '@fiado/chassis/openapi/json-schema';
import { sharedSystem } from '../e2e/support/shared-system';
import { documentedRoutes, type DocumentedRoute, schemaOf } from './support/conformance';
import { freshTarget, type FuzzTarget } from './support/fuzz-targets';
import { callOf } from './support/operation-inputs';
import { buildWorld, type World } from './support/world';

/** A field of a documented body: its path in the document's example, such as transactions.0.id. */
interface BodyField {
  path: string[];
  required: boolean;
}

/** Every field of a route's documented body whose parent is in the example; of arrays, item 0's. */
function fieldsOf({ operation }: DocumentedRoute): BodyField[] {
  const { schema, example } = operation.requestBody?.content['application/json'] ?? {};
  return schema === undefined ? [] : fieldsIn(schema, [], example ?? {});
}

function fieldsIn(reference: JsonSchema, parent: string[], example: unknown): BodyField[] {
  if (typeof example !== 'object' || example === null) return [];
  const { properties = {}, required = [], items } = schemaOf(reference);
  const values = new Map<string, unknown>(Object.entries(example));
  if (items !== undefined) return fieldsIn(items, [...parent, '0'], values.get('0'));
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = [...parent, name];
    const field = { path, required: required.includes(name) };
    return [field, ...fieldsIn(property, path, values.get(name))];
  });
}

const nameOf = ({ path }: BodyField): string => path.join('.');

/** A copy of a body whose field has another value; undefined removes the field. */
function withField(body: unknown, path: string[], value: unknown): unknown {
  const copy: unknown = structuredClone(body ?? {});
  let parent = copy as Record<string, unknown>;
  for (const name of path.slice(0, -1)) parent = parent[name] as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

/** An object that JSON can carry, with a length that is neither a number nor can become one. */
const NO_PRIMITIVE = { length: { toString: 'x', valueOf: 1 } };

const UNIQUE_FIELDS = ['wholesalerTransactionId', 'claveDePago', 'name'];

const system = sharedSystem();
let world: World;
beforeAll(async () => {
  world = await buildWorld(system);
});

/** The status of the documented example in which all of these fields have this value. */
async function statusOf(
  route: DocumentedRoute,
  { key, ids }: FuzzTarget,
  fields: BodyField[],
  value: null | undefined | typeof NO_PRIMITIVE,
): Promise<number> {
  // No two requests may name the same order, payment, provider or person.
  const unique = Object.fromEntries(UNIQUE_FIELDS.map((name) => [name, randomUUID()]));
  const email = `${randomUUID()}@lender.example`;
  const call = callOf(route, { ...ids, ...unique, email });
  const body = fields.reduce((made, { path }) => withField(made, path, value), call.body);
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

  // For the optional fields first: a request that is taken changes it, which a refused one does not.
  let target: FuzzTarget;
  beforeAll(async () => {
    target = await freshTarget(world, route);
  });

  it('takes null in each optional field as absent', async () => {
    let unchanged: FuzzTarget | undefined = target;
    const statusWith = async (all: BodyField[], value: null | undefined) => {
      unchanged ??= await freshTarget(world, route);
      const status = await statusOf(route, unchanged, all, value);
      if (status < 300) unchanged = undefined;
      return status;
    };
    const differing: string[] = [];
    const compare = async (all: BodyField[]) => {
      const [ofNull, ofAbsent] = [await statusWith(all, null), await statusWith(all, undefined)];
      if (ofNull !== ofAbsent)
        differing.push(`${all.map(nameOf).join()} ${ofNull}, absent ${ofAbsent}`);
      return ofNull;
    };
    const optional = fields.filter(({ required }) => !required);
    // Those of one depth together: the fields of a field that is gone are not seen.
    for (const depth of new Set(optional.map(({ path }) => path.length))) {
      const all = optional.filter(({ path }) => path.length === depth);
      if ((await compare(all)) < 300 || all.length === 1) continue;
      // In a body that is refused anyway, another refusal could hide that of a null.
      for (const field of all) await compare([field]);
    }

    expect(differing).toEqual([]);
  });

  it('refuses null in each required field with 400', async () => {
    for (const field of fields.filter(({ required }) => required)) {
      const status = await statusOf(route, target, [field], null);
      expect([nameOf(field), status]).toEqual([nameOf(field), 400]);
    }
  });

  // class-validator reads the value again to write some of its messages; an error there becomes a 500.
  it('answers an object whose length is no number in any field without a fault', async () => {
    for (const field of fields) {
      const status = await statusOf(route, target, [field], NO_PRIMITIVE);
      expect([nameOf(field), status < 500]).toEqual([nameOf(field), true]);
    }
  });
});

it('finds the optional fields in the document', () => {
  const optional = withBody.flatMap((route) =>
    fieldsOf(route)
      .filter(({ required }) => !required)
      .map((field) => `${route.operation.operationId} ${nameOf(field)}`),
  );
  expect(optional).toEqual(
    expect.arrayContaining([
      'createTransactions transactions.0.wholesalerTransactionId',
      'deliverTransaction deliveryWord',
      'createTransactionLink transaction.metadata',
    ]),
  );
});
