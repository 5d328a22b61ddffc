import { ApiRefusal } from '../api';
import { choiceFilter, type Filter } from './filters';
import type { Field } from './form';
import { fieldOf, queryOf, type Visit } from './visit';

/** Wholesalers of a choice, the newest: a longer list is no choice, and makes a page large. */
const MAX_CHOICES = 100;
/** Pages of a hundred in which names are looked for: more wholesalers than a lender has. */
const MAX_NAME_PAGES = 50;

export type WholesalerChoices = ReadonlyArray<readonly [wholesalerId: string, name: string]>;

/**
 * The newest wholesalers of the lender, for a filter or a form, and the one that the address or the form
 * names: without it the browser would choose the first option in its place, which is all of them.
 */
export async function wholesalerChoices(visit: Visit): Promise<WholesalerChoices> {
  const { wholesalers } = visit.viewer.ops;
  const all: Array<readonly [string, string]> = [];
  for await (const { wholesalerId, name } of wholesalers.list({ limit: 100 })) {
    all.push([wholesalerId, name]);
    if (all.length === MAX_CHOICES) break;
  }
  const named = fieldOf(visit, 'wholesalerId') || queryOf(visit, 'mayorista');
  if (named === '' || all.some(([one]) => one === named)) return all;
  return [[named, await nameOf(visit, named)], ...all];
}

/** The name of a wholesaler; its id for one that nobody has, which the API refuses later. */
async function nameOf({ viewer }: Visit, wholesalerId: string): Promise<string> {
  try {
    // Dots as a part of a path lead to another one.
    if (/^\.{1,2}$/.test(wholesalerId)) return wholesalerId;
    return (await viewer.ops.wholesalers.get(wholesalerId)).name;
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    return wholesalerId;
  }
}

/**
 * Names of wholesalers by their ids: those of the choices, and others where a page shows them.
 * @param ids the ones that the page shows
 */
export async function wholesalerNames(
  { viewer }: Visit,
  choices: WholesalerChoices,
  ids: string[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(choices);
  let pages = 0;
  if (ids.every((id) => names.has(id))) return names;
  for await (const { wholesalers } of viewer.ops.wholesalers.list({ limit: 100 }).pages()) {
    for (const { wholesalerId, name } of wholesalers) names.set(wholesalerId, name);
    pages += 1;
    if (pages === MAX_NAME_PAGES || ids.every((id) => names.has(id))) break;
  }
  return names;
}

/** A list's filter by wholesaler. */
export function wholesalerFilter(visit: Visit, choices: WholesalerChoices): Filter {
  const label = visit.say('Mayorista', 'Wholesaler');
  return { ...choiceFilter(visit, 'mayorista', label, choices), asked: wholesalerOf(visit) };
}

/** The wholesaler that a list is asked for. */
export function wholesalerOf(visit: Visit): { wholesalerId?: string } {
  const wholesalerId = queryOf(visit, 'mayorista');
  return wholesalerId === '' ? {} : { wholesalerId };
}

/** The field of a form for one wholesaler or all, with the one that the address names chosen. */
export function wholesalerField(visit: Visit, choices: WholesalerChoices): Field {
  const { say } = visit;
  const hint = say(
    'Aquí están los 100 más nuevos. Para otro, empieza en su página.',
    'These are the newest 100. For another one, begin on its page.',
  );
  return {
    name: 'wholesalerId',
    label: say('Mayorista', 'Wholesaler'),
    required: false,
    ...(choices.length >= MAX_CHOICES && { hint }),
    value: queryOf(visit, 'mayorista'),
    options: [['', say('Todos', 'All')] as const, ...choices],
  };
}
