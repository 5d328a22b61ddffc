import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startTestGateway } from './support/test-gateway';

const gateway = forAllTests(startTestGateway);

it.each(['openapi.json', 'openapi-admin.json'])(
  'serves the committed %s without a credential',
  async (name) => {
    const answer = await fetch(`${gateway.url}/${name}`);

    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    const committed = readFileSync(resolve(__dirname, '..', name), 'utf8');
    expect(await answer.text()).toBe(committed);
  },
);

it('serves a page that loads every file from the gateway and may call nothing else', async () => {
  const page = await fetch(`${gateway.url}/docs`);
  const html = await page.text();
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);

  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toMatch(
    /default-src 'none'; script-src 'self';.*connect-src 'self'/,
  );
  // No script stands in the page itself: the policy would not let it run.
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
  expect(files).toEqual(['/docs/reference.js', '/docs/start.js']);
  for (const file of files) {
    const answer = await fetch(new URL(file, page.url));
    expect([file, answer.status, answer.headers.get('content-type')]).toEqual([
      file,
      200,
      'text/javascript; charset=utf-8',
    ]);
  }
});

it('serves the committed guides, which the page shows with its own address', async () => {
  const answer = await fetch(`${gateway.url}/docs/guides.json`);
  const committed = readFileSync(resolve(__dirname, '../guides.json'), 'utf8');
  expect(await answer.text()).toBe(committed);
  const script = await (await fetch(`${gateway.url}/docs/start.js`)).text();
  expect(script).toContain(`replaceAll('http://127.0.0.1:3000', location.origin)`);
});

it('the guides have an address that the API document names', async () => {
  const { info } = JSON.parse(readFileSync(resolve(__dirname, '../openapi.json'), 'utf8'));
  const [, address = ''] = /\[guides\]\(([^)]+)\)/.exec(info.description) ?? [];
  const answer = await fetch(`${gateway.url}${address}`, { redirect: 'manual' });

  expect([answer.status, answer.headers.get('location')]).toEqual([
    302,
    '/docs#guides/description/quick-start',
  ]);
});

it('the page shows both documents of this gateway and sends nothing to others', async () => {
  const script = await (await fetch(`${gateway.url}/docs/start.js`)).text();

  expect(script).toContain('"url":"/openapi.json"');
  expect(script).toContain('"url":"/openapi-admin.json"');
  expect(script).toContain('"telemetry":false');
  expect(script).toContain('"agent":{"disabled":true}');
  expect(script).toContain('"mcp":{"disabled":true}');
  expect(script).toContain('"withDefaultFonts":false');
});

describe('GET /', () => {
  it('shows a browser where to go next', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const page = await fetch(`${gateway.url}/`, { headers: { accept } });
    const text = await page.text();

    expect([page.status, page.headers.get('content-type'), page.headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    const links = [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, link = '']) => link);
    expect(links).toEqual(['/docs', '/openapi.json', '/health/ready']);
    for (const link of links) {
      expect([link, (await fetch(`${gateway.url}${link}`)).status]).toEqual([link, 200]);
    }
  });

  it.each([undefined, '*/*', 'application/json'])('answers JSON to Accept: %s', async (accept) => {
    const answer = await fetch(`${gateway.url}/`, {
      headers: accept === undefined ? {} : { accept },
    });

    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        name: 'Fiado',
        api: '/v1',
        docs: '/docs',
        openapi: '/openapi.json',
        adminOpenapi: '/openapi-admin.json',
        health: '/health/ready',
      },
    ]);
  });
});
