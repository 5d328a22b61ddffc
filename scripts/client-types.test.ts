import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { clientOperations, type Document } from './client-types/document';
import { preparedDocument, shapeHash } from './client-types/prepare-document';
import { resourcesText } from './client-types/resources-text';

const read = (path: string): string => readFileSync(resolve(__dirname, '..', path), 'utf8');
const json = read('services/gateway/openapi.json');
const document = (): Document => JSON.parse(json) as Document;

it('the resources of the client are up to date: run npm run client-types', () => {
  const text = resourcesText(clientOperations(document()));

  expect(read('libs/client/src/generated/resources.ts')).toBe(text);
});

it('the types of the client belong to the committed document: run npm run client-types', () => {
  const [head] = read('libs/client/src/generated/schema.ts').split('\n');

  expect(head).toContain(`Shape: ${shapeHash(preparedDocument(document()))}`);
});

it('a new field changes the shape, a new description does not', () => {
  const shape = shapeHash(preparedDocument(document()));
  const [described, extended] = [document(), document()];
  const schemaOf = ({ components }: Document) =>
    components['schemas']!['CreatedTransaction'] as { properties: Record<string, object> };
  schemaOf(described).properties['transactionId'] = {
    ...schemaOf(described).properties['transactionId'],
    description: 'Another one',
  };
  schemaOf(extended).properties['reason'] = { type: 'string' };

  expect(shapeHash(preparedDocument(described))).toBe(shape);
  expect(shapeHash(preparedDocument(extended))).not.toBe(shape);
});

it('an operation without a method is an error', () => {
  const [path] = Object.keys(document().paths);
  const grown = document();
  grown.paths['/new'] = { get: { operationId: 'getNew', responses: {} } };
  const shrunk = document();
  delete shrunk.paths[path!];

  expect(() => resourcesText(clientOperations(grown))).toThrow(
    'no method in methods.ts for getNew',
  );
  expect(() => resourcesText(clientOperations(shrunk))).toThrow('has unknown operations');
});

it("the client has none of the lender's operations", () => {
  const paths = clientOperations(document()).map(({ path }) => path);

  expect(paths.filter((path) => path.startsWith('/admin'))).toEqual([]);
  expect(Object.keys(preparedDocument(document()).paths).sort()).toEqual(
    [...new Set(paths)].sort(),
  );
});
