import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CHANGE_KIND_DOCUMENTS, withChangeKinds } from './change-kinds';

it.each(CHANGE_KIND_DOCUMENTS)('%s lists what the code guards with a second person', (document) => {
  const text = readFileSync(resolve(__dirname, '..', document), 'utf8');
  expect(text).toBe(withChangeKinds(text));
});
