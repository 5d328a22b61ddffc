import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { jsonOperations } from './client-types/document';
import { clientFiles, documentOf } from './client-types/main';
import { resourcesText } from './client-types/resources-text';
import { CLIENTS, PUBLIC } from './client-types/targets';

it.each(CLIENTS)('$folder is what npm run generate makes of $document', async (target) => {
  for (const [path, text] of await clientFiles(target)) {
    // `toBe` would print thousands of lines.
    const isEqual = readFileSync(resolve(__dirname, '..', path), 'utf8') === text;
    expect([path, isEqual]).toEqual([path, true]);
  }
});

it('an operation without a method is an error, and so are two of one method', () => {
  const grown = documentOf(PUBLIC);
  grown.paths['/new'] = { get: { operationId: 'getNew', responses: {} } };
  expect(() => jsonOperations(grown)).toThrow('getNew names no method');

  grown.paths['/new'] = {
    get: { operationId: 'getNew', 'x-fiado-as': 'transactions.check', responses: {} },
  };
  expect(() => resourcesText(PUBLIC, jsonOperations(grown))).toThrow(
    'checkTransaction and getNew are one method',
  );
});

it("the client for integrators has none of the lender's operations", () => {
  const paths = jsonOperations(documentOf(PUBLIC)).map(({ path }) => path);

  expect(paths.filter((path) => path.startsWith('/admin'))).toEqual([]);
});
