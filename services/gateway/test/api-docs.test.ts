import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildHouse, type House } from './support/house';

let house: House;
beforeAll(async () => {
  house = await buildHouse();
});
afterAll(() => house.stop());

it('gives the committed document to whoever asks, without a credential', async () => {
  const answer = await fetch(`${house.url}/openapi.json`);

  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ]);
  const committed = readFileSync(resolve(__dirname, '../openapi.json'), 'utf8');
  expect(await answer.text()).toBe(committed);
});

it('shows a page whose every file comes from here, and that may talk to nobody else', async () => {
  const page = await fetch(`${house.url}/docs`);
  const html = await page.text();
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);

  expect(page.status).toBe(200);
  expect(page.url).toBe(`${house.url}/docs/`);
  expect(page.headers.get('content-security-policy')).toMatch(
    /default-src 'none'; script-src 'self';.*connect-src 'self'/,
  );
  // No script stands in the page itself: the policy would not let it run.
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) {
    expect(file).toMatch(/^\.\//);
    const answer = await fetch(new URL(file, page.url));
    expect([file, answer.status]).toEqual([file, 200]);
  }
});

it('the page reads the document of this gateway, and has it checked by nobody', async () => {
  const script = await (await fetch(`${house.url}/docs/swagger-ui-init.js`)).text();

  expect(script).toContain('"url": "/openapi.json"');
  expect(script).toContain('"validatorUrl": null');
});
