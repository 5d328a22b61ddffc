import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PRIVACY_PAGE, withPersonalData } from './privacy-page';

it(`${PRIVACY_PAGE} lists what the services keep, as \`npm run generate\` writes it`, () => {
  const text = readFileSync(resolve(__dirname, '..', PRIVACY_PAGE), 'utf8');
  expect(text).toBe(withPersonalData(text));
});
