import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { send, type Answer } from '@fiado/chassis/testing/call';
import type { OpsScope } from '@fiado/contracts/caller';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { hasBrowser, launchBrowser, lookAt } from './browser';
import { waitFor } from './api';
import type { RunningSystem } from './system';

/** Pictures of the documents, which are replaced on request only. */
const GUIDE_PICTURES = resolve(__dirname, '../../../docs/pictures');
export const arePicturesKept = process.env.GUIDE_PICTURES === '1';
/** Enough for flat pages, and a fifth of the size. */
const PICTURE_COLOURS = 64;
/** From this width on, in pixels, a picture needs no width in its name. */
const WIDE = 1280;
/** A picture of a longer page ends before its end; one of a short page has room below. Pixels. */
const HIGHEST_PICTURE = 1600;
const HIGHEST_WIDE_PICTURE = 1100;
const LOWEST_PICTURE = 300;
const MENU_HEIGHT = 780;
const MAX_PICTURE_BYTES = 100_000;
const SESSION = '__Host-fiado';
const CREATE_PASSKEY = 'Crear mi llave de acceso';

/** A person of the lender, with a browser profile and a passkey of its own. */
export interface Person {
  staffId: string;
  page: Page;
  context: BrowserContext;
  /** Whether the browser runs scripts. */
  scripts: boolean;
  invitation: string;
  goto(path: string): Promise<number>;
  text(): Promise<string>;
  press(button: string): Promise<void>;
  /** Calls the API with the credential that the console has for this person. */
  call(method: string, path: string, body?: object): Promise<Answer>;
}

/** The console of a running system, and a browser. */
export interface ConsoleTour {
  /** Somebody who signed in: where no scripts run, with the invitation alone. */
  person(role: OpsScope, name: string, scripts?: boolean): Promise<Person>;
  /** Of all of them. */
  browser: Browser;
  close(): Promise<void>;
}

/** Facts about the console in a real browser; skipped, with a line of output, where none is. */
export function describeInBrowser(title: string, tests: () => void): void {
  if (!hasBrowser) process.stdout.write(`No Chromium, so not tested: ${title}\n`);
  (hasBrowser ? describe : describe.skip)(title, tests);
}

export async function openConsole(system: RunningSystem): Promise<ConsoleTour> {
  // It starts after the services.
  await waitFor(() => fetch(`${system.consoleUrl}/health/ready`).catch(() => undefined));
  const browser = await launchBrowser();
  return {
    person: async (role, name, scripts = true) => {
      const person = await invite(system, browser, { role, name, scripts });
      await person.goto(person.invitation);
      await person.press(scripts ? CREATE_PASSKEY : 'Entrar sin llave (solo en pruebas)');
      await person.page.waitForURL(`${system.consoleUrl}/`);
      return person;
    },
    browser,
    close: () => browser.close(),
  };
}

async function invite(
  system: RunningSystem,
  browser: Browser,
  { role, name, scripts }: { role: OpsScope; name: string; scripts: boolean },
): Promise<Person> {
  const email = `${name.split(' ')[0]?.toLowerCase()}.${randomUUID().slice(0, 8)}@lender.example`;
  const body = { email, name, role };
  const invited = await system.call(system.opsKey, 'POST', '/admin/staff', { body });
  expect(invited.status).toBe(201);
  const context = await browser.newContext({ javaScriptEnabled: scripts, locale: 'es-MX' });
  const page = await context.newPage();
  if (scripts) await addAuthenticator(page);
  return {
    staffId: invited.body.staffId,
    page,
    context,
    scripts,
    invitation: new URL(invited.body.invitationLink).pathname,
    goto: async (path) => (await page.goto(`${system.consoleUrl}${path}`))?.status() ?? 0,
    text: () => page.locator('body').innerText(),
    press: (button) => page.getByRole('button', { name: button, exact: true }).first().click(),
    call: async (method, path, body) => {
      const cookies = await context.cookies(system.consoleUrl);
      const sessionToken = cookies.find((cookie) => cookie.name === SESSION)?.value;
      const url = `${system.baseUrl}/v1/sign-in/token`;
      const token = await send(url, 'POST', { sessionToken }, {});
      return system.call(token.body.accessToken, method, path, { body });
    },
  };
}

/** Counts what a person presses. A search is one press, too: Enter, after the words. */
export function counted({ page }: Person) {
  let clicks = 0;
  return {
    press: async (target: Locator): Promise<void> => {
      clicks += 1;
      await target.click();
    },
    find: async (words: string): Promise<void> => {
      clicks += 1;
      const search = page.locator('#q');
      await search.fill(words);
      await search.press('Enter');
      await page.waitForURL(/\/(tiendas|pedidos|buscar)\/|\/personal\?/);
    },
    clicks: () => clicks,
  };
}

/** The passkeys of a computer whose owner always agrees. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** As lookAt; the pictures of a browser without scripts have a folder of their own. */
export function look(
  { page, scripts }: Pick<Person, 'page' | 'scripts'>,
  name: string,
  { thoroughly = false } = {},
): Promise<void> {
  const folder = scripts ? 'console' : 'console/without-scripts';
  return lookAt(page, { folder, name, scripts, thoroughly });
}

/**
 * Where GUIDE_PICTURES=1, replaces a picture of docs/pictures by one of this page from its top to its end,
 * which must be small enough for a repository. The name of a narrow or a dark one says so.
 */
export async function keepPicture(
  page: Page,
  name: string,
  { width, colorScheme = 'light' }: { width: number; colorScheme?: 'light' | 'dark' },
): Promise<void> {
  if (!arePicturesKept) return;
  await page.waitForLoadState('networkidle');
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: LOWEST_PICTURE });
  const height = await page.locator('html').evaluate((html) => html.scrollHeight);
  const highest = width < WIDE ? HIGHEST_PICTURE : HIGHEST_WIDE_PICTURE;
  // The menu at the side of a wide page has its own height.
  const lowest = width < WIDE || (await page.locator('.menu').count()) === 0 ? 0 : MENU_HEIGHT;
  await page.setViewportSize({ width, height: Math.max(Math.min(height, highest), lowest) });
  await page.locator('html').evaluate((html) => html.scrollTo(0, 0));
  const picture = await sharp(await page.screenshot())
    .png({ palette: true, colours: PICTURE_COLOURS, effort: 10 })
    .toBuffer();
  expect([name, picture.length < MAX_PICTURE_BYTES]).toEqual([name, true]);
  mkdirSync(GUIDE_PICTURES, { recursive: true });
  const narrow = width < WIDE ? `-${width}` : '';
  const dark = colorScheme === 'dark' ? '-dark' : '';
  writeFileSync(join(GUIDE_PICTURES, `${name}${narrow}${dark}.png`), picture);
}
