import { CornerStoreSumsQuery } from '../contracts/invariants';
import { flag, listOf, nullable, object, oneOf, text, uuid, type JsonSchema } from './json-schema';
import type { Operation } from './operation';

type Service = 'accounts' | 'transactions' | 'payments' | 'notifier';

/** The operation in which a service tells whether all that must hold does. */
export function invariantsOperation(service: Service): Operation {
  return {
    id: `check${capitalized(service)}`,
    tag: 'Ops: operation',
    summary: `Whether all that must hold in ${service} does`,
    answer: {
      status: 200,
      schema: object('InvariantReport', {
        service: oneOf(['accounts', 'transactions', 'payments', 'notifier']),
        checks: listOf(
          object('InvariantCheck', {
            name: text,
            holds: flag,
            violations: listOf({ type: 'object', additionalProperties: true }),
          }),
        ),
      }),
      example: { service, checks: [{ name: 'what must hold', holds: true, violations: [] }] },
    },
  };
}

/** The operation in which a service tells its sums, to be compared with those of the others. */
export function cornerStoreSumsOperation(
  service: Service,
  sums: Record<string, { schema: JsonSchema; example: unknown }>,
): Operation {
  const fields = Object.entries(sums);
  const name = capitalized(service);
  const cornerStoreId = '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33';
  return {
    id: `list${name}Sums`,
    tag: 'Ops: operation',
    summary: `What ${service} says of each corner store`,
    description: 'In the order of their ids; amounts in integer cents.',
    query: CornerStoreSumsQuery,
    answer: {
      status: 200,
      schema: object(`${name}SumsPage`, {
        cornerStores: listOf(
          object(`${name}Sums`, {
            cornerStoreId: uuid,
            ...Object.fromEntries(fields.map(([field, { schema }]) => [field, schema])),
          }),
        ),
        nextCursor: nullable(uuid),
      }),
      example: {
        cornerStores: [
          {
            cornerStoreId,
            ...Object.fromEntries(fields.map(([field, { example }]) => [field, example])),
          },
        ],
        nextCursor: null,
      },
    },
  };
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
