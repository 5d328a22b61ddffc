import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import type { OpsScope } from '@fiado/contracts/caller';
import { type PageRoute, show } from './serve';
import { idOf, mayDo, type Page, type Visit } from './visit';

/** Writes a part of the page of a thing. It calls the API for what only this part shows. */
export type Part<Thing> = (thing: Thing, visit: Visit) => HtmlValue | Promise<HtmlValue>;

/** The contents of the page of a thing, in the order of the page. A `Page` describes each field. */
export interface Contents<Thing> {
  path: (thing: Thing) => NonNullable<Page['path']>;
  title: (thing: Thing) => string;
  badge?: Part<Thing>;
  lead?: Part<Thing>;
  actions?: Part<Thing>;
  problem?: (thing: Thing, visit: Visit) => Page['problem'];
  /** Above both columns, such as a change that waits for approval. */
  above?: Array<Part<Thing>>;
  parts: Array<Part<Thing>>;
  /** The facts of the thing in a column of their own. Without it the parts have the whole width. */
  side?: Array<Part<Thing>>;
}

/**
 * The page of one thing, whose id is in its address. `load` gets the thing and what several parts need; then all parts
 * run at once. A part that may be missing catches its refusal (`part`, `unlessRefused`); any other refuses the page.
 */
export function recordPage<Path extends string, Thing>(
  address: Path,
  page: Contents<Thing> & { load: (id: string, visit: Visit) => Promise<Thing> },
): PageRoute<Path> {
  const [, name = ''] = /:(\w+)/.exec(address) ?? [];
  return show(address, async (visit) => {
    const thing = await page.load(idOf(visit, name), visit);
    return writePage(page, thing, visit);
  });
}

async function writePage<Thing>(page: Contents<Thing>, thing: Thing, visit: Visit): Promise<Page> {
  const write = (parts: Array<Part<Thing> | undefined> = []): Promise<HtmlValue[]> =>
    Promise.all(parts.map(async (part) => part?.(thing, visit)));
  const [[badge, lead, actions], above, parts, side] = await Promise.all([
    write([page.badge, page.lead, page.actions]),
    write(page.above),
    write(page.parts),
    write(page.side),
  ]);
  return {
    path: page.path(thing),
    title: page.title(thing),
    problem: page.problem?.(thing, visit),
    badge,
    lead,
    actions,
    content: html`${above} ${page.side === undefined ? parts : twoColumns(parts, side)}`,
  };
}

/** Shows a part only to people whose role includes this one. */
export function forRole<Thing>(role: OpsScope, part: Part<Thing>): Part<Thing> {
  return (thing, visit) => mayDo(visit.viewer, role) && part(thing, visit);
}

/** What belongs to a thing on the left, and its facts on the right. */
export function twoColumns(parts: HtmlValue, side: HtmlValue): Html {
  return html`<div class="record">
    <div>${parts}</div>
    <div>${side}</div>
  </div>`;
}
