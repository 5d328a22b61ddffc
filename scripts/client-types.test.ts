import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { jsonOperations, type Document } from './client-types/document';
import { preparedDocument, shapeHash } from './client-types/prepare-document';
import { resourcesText } from './client-types/resources-text';
import { OPS, PUBLIC, type Target } from './client-types/targets';

const read = (path: string): string => readFileSync(resolve(__dirname, '..', path), 'utf8');
const document = (target: Target = PUBLIC): Document =>
  JSON.parse(read(target.document)) as Document;

it.each([PUBLIC, OPS])(
  '$folder is up to date with $document: run npm run client-types',
  (target) => {
    const [head] = read(`${target.folder}/schema.ts`).split('\n');

    expect(read(`${target.folder}/resources.ts`)).toBe(
      resourcesText(target, jsonOperations(document(target))),
    );
    expect(head).toContain(`Shape: ${shapeHash(preparedDocument(document(target)))}`);
  },
);

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

  expect(() => resourcesText(PUBLIC, jsonOperations(grown))).toThrow('no method for getNew');
  expect(() => resourcesText(PUBLIC, jsonOperations(shrunk))).toThrow(
    'methods of unknown operations: ',
  );
});

it("the client for integrators has none of the lender's operations", () => {
  const paths = jsonOperations(document()).map(({ path }) => path);

  expect(paths.filter((path) => path.startsWith('/admin'))).toEqual([]);
});
