import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { AxeResults } from 'axe-core';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
/** A small phone, as many corner stores have. */
const PHONE = { width: 360, height: 740 };
/** Widths of a computer and of a small phone. */
const WIDTHS = [1280, 360];
/** The narrowest screen that content has to fit. */
const NARROWEST = 320;
const HEIGHT = 800;
const SCHEMES = ['light', 'dark'] as const;
/** Pictures for a person to look at; ignored by git. */
const PICTURES = resolve(__dirname, '../../../artifacts');

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
  /** As lookAt, from the phone. */
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
      await walk(
        await openTour(browser, { scripts, folder: `pages/${words.replaceAll(' ', '-')}` }),
      );
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
  return {
    page,
    scripts,
    goto: async (url) => void (await page.goto(url)),
    title: () => page.title(),
    text: () => page.locator('body').innerText(),
    type: (label, value) => page.getByLabel(label).fill(value),
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
    look: (name) => lookAt(page, { folder, name, scripts }),
    complaints: () => complaints,
  };
}

/**
 * Amounts of a page that are broken over two lines: a reader takes one line for the whole. A text,
 * because it runs in the page.
 */
const BROKEN_AMOUNTS = `(() => {
  const broken = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const { 0: amount, index } of texts.currentNode.data.matchAll(/−?\\$[\\d,.]+\\d/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + amount.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => top));
      if (lines.size > 1) broken.push(amount);
    }
  }
  return broken;
})()`;

/**
 * Takes pictures of a page on a wide and a narrow screen, light and dark. Fails on a finding of axe,
 * on an amount that is broken over two lines, and on content that is wider than the screen, also on
 * the narrowest one.
 * @param folder of the pictures, below artifacts/
 */
export async function lookAt(
  page: Page,
  { folder, name, scripts }: { folder: string; name: string; scripts: boolean },
): Promise<void> {
  const pictures = join(PICTURES, folder);
  mkdirSync(pictures, { recursive: true });
  const before = page.viewportSize() ?? PHONE;
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await requireFit(page, name, width);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const path = join(pictures, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
      const violations = scripts
        ? await violationsOf(page)
        : await violationsOfCopy(page, { width, colorScheme });
      expect([name, width, colorScheme, violations]).toEqual([name, width, colorScheme, []]);
    }
  }
  await page.setViewportSize({ width: NARROWEST, height: HEIGHT });
  await requireFit(page, name, NARROWEST);
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
}

async function requireFit(page: Page, name: string, width: number): Promise<void> {
  const found = await page.locator('html').evaluate((html) => html.scrollWidth);
  const broken = await page.evaluate(BROKEN_AMOUNTS);
  expect([name, found, broken]).toEqual([name, width, []]);
}

/** axe waits for timers, which do not run in a page without scripts: so it looks at a copy. */
async function violationsOfCopy(
  page: Page,
  { width, colorScheme }: { width: number; colorScheme: (typeof SCHEMES)[number] },
): Promise<string[]> {
  const viewport = { width, height: HEIGHT };
  const copy = await page.context().browser()?.newPage({ viewport, colorScheme });
  if (copy === undefined) throw new Error('The page has no browser');
  // Its style sheet has a relative address, where it is not inside the page.
  const styled = (await page.content()).replace('<head>', `<head><base href="${page.url()}">`);
  await copy.setContent(styled);
  const violations = await violationsOf(copy);
  await copy.close();
  return violations;
}

/**
 * What axe finds on a page. It is injected, because the policy of the pages lets no script in.
 * @returns a line for each rule
 */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
