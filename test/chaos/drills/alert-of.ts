import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const PAGES = resolve(__dirname, '../../../docs/operations');

/**
 * The alert of a page, as a link from docs/operations/drills.md.
 * @param page its name without `.md`
 * @throws Error when the page does not begin with the name of an alert
 */
export function alertOf(page: string): string {
  const alert = /^# (Fiado\w+)\n/.exec(readFileSync(resolve(PAGES, `${page}.md`), 'utf8'))?.[1];
  if (alert === undefined) throw new Error(`${page}.md is no page of an alert`);
  return `[${alert}](${page}.md)`;
}
