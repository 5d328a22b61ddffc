import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { AxeResults } from 'axe-core';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
/** A small phone, as many corner stores have. */
const PHONE = { width: 360, height: 740 };
/** Pictures for a person to look at; ignored by git. */
const PICTURES = resolve(__dirname, '../../../artifacts/pages');

const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** Whether this machine has a browser. */
export const hasBrowser = existsSync(CHROMIUM);

/** @param args more options of Chromium's command line */
export function launchBrowser(...args: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', ...args],
  });
}

/** A page in a browser, with the steps of a tour. */
export interface Tour {
  goto(url: string): Promise<void>;
  title(): Promise<string>;
  text(): Promise<string>;
  type(label: string, value: string): Promise<void>;
  press(button: string): Promise<void>;
  /** The page itself, for steps that are not here. */
  page: Page;
  scripts: boolean;
  /** Takes a picture, and fails on a finding of axe or on content that is wider than the phone. */
  look(name: string): Promise<void>;
  /** Lines that the browser wrote to its console. */
  complaints(): string[];
}

/**
 * Tests a walk through pages on a small phone, once without scripts and once with them. Skipped,
 * with a line of output, where no browser is installed.
 * @param title a fact about the pages
 */
export function tourPages(title: string, walk: (page: Tour) => Promise<void>): void {
  if (!hasBrowser) process.stdout.write(`No Chromium at ${CHROMIUM}, so not tested: ${title}\n`);
  (hasBrowser ? it : it.skip).each([
    ['without scripts', false],
    ['with scripts', true],
  ])(`in a real browser %s, ${title}`, async (words, scripts) => {
    const browser = await launchBrowser();
    try {
      await walk(await openTour(browser, { scripts, folder: words.replaceAll(' ', '-') }));
    } finally {
      await browser.close();
    }
  });
}

async function openTour(
  browser: Browser,
  { scripts, folder }: { scripts: boolean; folder: string },
): Promise<Tour> {
  const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: scripts });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  const pictures = join(PICTURES, folder);
  mkdirSync(pictures, { recursive: true });
  return {
    page,
    scripts,
    goto: async (url) => void (await page.goto(url)),
    title: () => page.title(),
    text: () => page.locator('body').innerText(),
    type: (label, value) => page.getByLabel(label).fill(value),
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
    look: async (name) => {
      await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
      const width = await page.locator('html').evaluate((html) => html.scrollWidth);
      expect([name, width]).toEqual([name, PHONE.width]);
      const violations = scripts ? await violationsOf(page) : await violationsOfCopy(browser, page);
      expect([name, violations]).toEqual([name, []]);
    },
    complaints: () => complaints,
  };
}

/** axe waits for timers, which do not run in a page without scripts: so it looks at a copy. */
async function violationsOfCopy(browser: Browser, page: Page): Promise<string[]> {
  const copy = await browser.newPage({ viewport: PHONE });
  await copy.setContent(await page.content());
  const violations = await violationsOf(copy);
  await copy.close();
  return violations;
}

/**
 * What axe finds on a page. It is injected, because the policy of the pages lets no script in.
 * @returns a line for each rule
 */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
