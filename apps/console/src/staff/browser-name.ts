import { say } from '../frame/words';

/** Browsers name others that they are compatible with, so the order counts. */
const BROWSERS: Array<[name: string, pattern: RegExp]> = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(HeadlessChrome|Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];

const SYSTEMS: Array<[name: string, pattern: RegExp]> = [
  ['Windows', /\bWindows\b/],
  ['Android', /\bAndroid\b/],
  ['iPad', /\biPad\b/],
  ['iPhone', /\biPhone\b/],
  ['Mac', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** A browser in words, such as Chrome en Windows. */
export function browserName(agent: string | null): string {
  const [browser, system] = [BROWSERS, SYSTEMS].map(
    (names) => names.find(([, pattern]) => pattern.test(agent ?? ''))?.[0],
  );
  const name = browser ?? say('Un navegador', 'A browser');
  return system === undefined ? name : say(`${name} en ${system}`, `${name} on ${system}`);
}
