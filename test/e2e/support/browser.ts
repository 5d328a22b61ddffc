import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { AxeResults } from 'axe-core';

/** Chromium without windows: the walks take a third less CPU time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const CHROMIUM =
  process.env.CHROMIUM_PATH ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium');
/** A small phone, as many corner stores have. */
const PHONE = { width: 360, height: 740 };
const HEIGHT = 800;
/**
 * A computer, a small phone, and the narrowest screen that content has to fit, each with the schemes in
 * which axe looks at a page: the first, or all where it looks `thoroughly`. Colours follow the scheme
 * alone and the layout the width alone; thoroughly matters where something shows on one width alone.
 */
const SCREENS = [
  { width: 1280, schemes: ['light', 'dark'] },
  { width: 360, schemes: ['dark', 'light'] },
  { width: 320, schemes: [] },
] as const;
/** Pictures for a person to look at, taken on request only; ignored by git. */
const PICTURES = resolve(__dirname, '../../../artifacts');
const isPictured = process.env.PICTURES === '1';

const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** Whether this machine has a browser. */
export const hasBrowser = existsSync(CHROMIUM);

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
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

type Walk = (page: Tour) => Promise<void>;
interface Mode {
  scripts: boolean;
  mayHaveScripts: boolean;
}

/**
 * Tests a walk through pages on a small phone. A page on which it looks must have no script: then it is
 * the same page in a browser that runs none. Skipped, with a line of output, where no browser is installed.
 * @param title a fact about the pages
 */
export function tourPages(title: string, walk: Walk): void {
  tour(`in a real browser, ${title}`, walk, { scripts: true, mayHaveScripts: false });
}

/** As tourPages, for pages with a script: once where it runs, and once without it. */
export function tourScriptedPages(title: string, walk: Walk): void {
  for (const scripts of [true, false]) {
    const words = scripts ? 'with' : 'without';
    tour(`in a real browser ${words} scripts, ${title}`, walk, { scripts, mayHaveScripts: true });
  }
}

/** Of the walks of a file. */
let browser: Promise<Browser> | undefined;

function tour(title: string, walk: Walk, mode: Mode): void {
  if (!hasBrowser) process.stdout.write(`No Chromium at ${CHROMIUM}, so not tested: ${title}\n`);
  (hasBrowser ? it : it.skip)(title, async () => {
    browser ??= launchBrowser();
    const javaScriptEnabled = mode.scripts;
    // Without a language of its own each kind of Chromium asks for another one.
    const options = { viewport: PHONE, javaScriptEnabled, locale: 'en-US' };
    const context = await (await browser).newContext(options);
    await walk(tourOf(await context.newPage(), mode));
    await context.close();
  });
  afterAll(async () => {
    await (await browser)?.close();
    browser = undefined;
  });
}

function tourOf(page: Page, { scripts, mayHaveScripts }: Mode): Tour {
  const folder = scripts ? 'pages' : 'pages/without-scripts';
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
    look: async (name) => {
      const found = mayHaveScripts ? 0 : await page.locator('script, noscript').count();
      expect([name, found]).toEqual([name, 0]);
      await lookAt(page, { folder, name, scripts });
    },
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

interface Looked {
  /** Of the pictures, below artifacts/. */
  folder: string;
  name: string;
  scripts: boolean;
  thoroughly?: boolean;
}

/**
 * Looks at a page on a wide and a narrow screen, light and dark. Fails on a finding of axe, on an amount
 * that is broken over two lines, and on content that is wider than the screen, also on the narrowest one.
 * axe waits for timers, which do not run in a browser without scripts. The server sends the same page
 * there, so that axe looks at it where scripts run.
 */
export async function lookAt(
  page: Page,
  { folder, name, scripts, thoroughly }: Looked,
): Promise<void> {
  const before = page.viewportSize() ?? PHONE;
  // The policy of the pages lets no script in.
  if (scripts) await page.evaluate(AXE);
  for (const { width, schemes } of SCREENS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await requireFit(page, name, width);
    for (const colorScheme of schemes.slice(0, thoroughly === true || isPictured ? 2 : 1)) {
      await page.emulateMedia({ colorScheme });
      const path = join(PICTURES, folder, `${name}-${width}-${colorScheme}.png`);
      if (isPictured) await page.screenshot({ path, fullPage: true });
      const violations = scripts ? await violationsOf(page) : [];
      expect([name, width, colorScheme, violations]).toEqual([name, width, colorScheme, []]);
    }
  }
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
}

async function requireFit(page: Page, name: string, width: number): Promise<void> {
  const found = await page.locator('html').evaluate((html) => html.scrollWidth);
  const broken = await page.evaluate(BROKEN_AMOUNTS);
  expect([name, found, broken]).toEqual([name, width, []]);
}

/** @returns a line for each rule of axe that the page breaks */
async function violationsOf(page: Page): Promise<string[]> {
  const run = `axe.run({ resultTypes: ['violations'] })`;
  const { violations } = (await page.evaluate(run)) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
