import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { send, type Answer } from '@fiado/chassis/testing/http';
import type { OpsScope } from '@fiado/contracts/caller';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { hasBrowser, launchBrowser, violationsOf } from './browser';
import { waitFor } from './api';
import type { SharedSystem } from './shared-system';

const ROOT = resolve(__dirname, '../../..');
/** Pictures for a person to look at; ignored by git. */
const PICTURES = join(ROOT, 'artifacts/console');
/** Pictures of docs/guides/ops.md, which are replaced on request only. */
const GUIDE_PICTURES = join(ROOT, 'docs/pictures');
/** Enough for flat pages, and a fifth of the size. */
const GUIDE_COLOURS = 64;
const WIDTHS = [1280, 360];
/** The narrowest screen that content has to fit. */
const NARROWEST = 320;
const HEIGHT = 800;
const SCHEMES = ['light', 'dark'] as const;
const SESSION = '__Host-fiado';
const CREATE_PASSKEY = 'Crear mi llave de acceso';
const USE_PASSKEY = 'Entrar con mi llave de acceso';

/** A person of the lender, with a browser profile and a passkey of its own. */
export interface Person {
  staffId: string;
  name: string;
  page: Page;
  context: BrowserContext;
  invitation: string;
  goto(path: string): Promise<number>;
  text(): Promise<string>;
  press(button: string): Promise<void>;
  /** Signs in, or again, with the passkey. */
  signIn(): Promise<void>;
  /** Calls the API with the credential that the console has for this person. */
  call(method: string, path: string, body?: object): Promise<Answer>;
  sessionCookie(): Promise<string>;
}

/** The console of a running system, and a browser. */
export interface ConsoleTour {
  person(role: OpsScope, name: string): Promise<Person>;
  /** Signs in with the invitation alone, in a browser that runs no scripts. */
  personWithoutScripts(role: OpsScope, name: string): Promise<Person>;
  close(): Promise<void>;
}

/** Facts about the console in a real browser; skipped, with a line of output, where none is. */
export function describeInBrowser(title: string, tests: () => void): void {
  if (!hasBrowser) process.stdout.write(`No Chromium, so not tested: ${title}\n`);
  (hasBrowser ? describe : describe.skip)(title, tests);
}

export async function openConsole(system: SharedSystem): Promise<ConsoleTour> {
  // It starts after the services.
  await waitFor(() => fetch(`${system.consoleUrl}/health/ready`).catch(() => undefined));
  const browser = await launchBrowser();
  return {
    person: async (role, name) => {
      const person = await invite(system, browser, { role, name, scripts: true });
      await person.goto(person.invitation);
      await person.press(CREATE_PASSKEY);
      await person.page.waitForURL(`${system.consoleUrl}/`);
      return person;
    },
    personWithoutScripts: async (role, name) => {
      const person = await invite(system, browser, { role, name, scripts: false });
      await person.goto(person.invitation);
      await person.press('Entrar sin llave (solo en pruebas)');
      return person;
    },
    close: () => browser.close(),
  };
}

async function invite(
  system: SharedSystem,
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
  const person: Person = {
    staffId: invited.body.staffId,
    name,
    page,
    context,
    invitation: new URL(invited.body.invitationLink).pathname,
    goto: async (path) => (await page.goto(`${system.consoleUrl}${path}`))?.status() ?? 0,
    text: () => page.locator('body').innerText(),
    press: (button) => page.getByRole('button', { name: button, exact: true }).first().click(),
    signIn: async () => {
      await person.goto('/entrar');
      await person.press(USE_PASSKEY);
      await page.waitForURL(`${system.consoleUrl}/`);
    },
    call: async (method, path, body) => {
      const sessionToken = await person.sessionCookie();
      const url = `${system.baseUrl}/v1/sign-in/token`;
      const token = await send(url, 'POST', { sessionToken }, {});
      return system.call(token.body.accessToken, method, path, { body });
    },
    sessionCookie: async () => {
      const cookies = await context.cookies(system.consoleUrl);
      return cookies.find((cookie) => cookie.name === SESSION)?.value ?? '';
    },
  };
  return person;
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

/**
 * Takes pictures of a page on a wide and a narrow screen, light and dark. Fails on a finding of axe,
 * and on content that is wider than the screen, also on the narrowest one.
 */
export async function look({ page }: Person, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const found = await page.locator('html').evaluate((html) => html.scrollWidth);
    expect([name, found]).toEqual([name, width]);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const path = join(PICTURES, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
      const violations = await violationsOf(page);
      expect([name, width, colorScheme, violations]).toEqual([name, width, colorScheme, []]);
    }
  }
  await page.setViewportSize({ width: NARROWEST, height: HEIGHT });
  const narrowest = await page.locator('html').evaluate((html) => html.scrollWidth);
  expect([name, narrowest]).toEqual([name, NARROWEST]);
  await page.setViewportSize({ width: WIDTHS[0] ?? 0, height: HEIGHT });
  await page.emulateMedia({ colorScheme: 'light' });
}

/**
 * With GUIDE_PICTURES=1, replaces a picture of the guide with what the screen shows.
 * @param height of the screen, so that the picture ends where the page does
 */
export async function keepForGuide({ page }: Person, name: string, height = HEIGHT): Promise<void> {
  if (process.env.GUIDE_PICTURES !== '1') return;
  mkdirSync(GUIDE_PICTURES, { recursive: true });
  await page.setViewportSize({ width: WIDTHS[0] ?? 0, height });
  const picture = await page.screenshot();
  await sharp(picture)
    .png({ palette: true, colours: GUIDE_COLOURS, effort: 10 })
    .toFile(join(GUIDE_PICTURES, `console-${name}.png`));
}
