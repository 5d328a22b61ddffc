import type { Html } from '@fiado/chassis/html';
import type { Schema } from '@fiado/ops-client/operations';
import { ApiRefusal } from '../api';
import type { Choices, ValueFilter } from './filters';
import type { Field } from './form';
import { link, named, textOf } from './formats';
import type { Column } from './parts';
import { firstPage, unlessDown } from './read';
import { type Visit, fieldOf, queryOf } from './visit';
import { say } from './words';

type Store = Pick<Schema<'CornerStoreDetails'>, 'firstName' | 'lastNames' | 'cornerStoreName'>;

/** Stores with their names, by their ids. */
export type StoreNames = ReadonlyMap<string, Schema<'CornerStoreDetails'> & { name: string }>;

/**
 * As the lender's people call a store: its own name, else its owner's. A viewer gets initials. A dash once
 * both are erased.
 */
export function storeNameOf({ firstName, lastNames, cornerStoreName }: Store): string {
  return cornerStoreName ?? textOf(`${firstName} ${lastNames}`.trim());
}

/** The names of the stores that rows of a page are about, in one call; none while accounts does not answer. */
export async function storeNames(
  { viewer }: Visit,
  rows: ReadonlyArray<{ cornerStoreId: string | null }>,
): Promise<StoreNames> {
  const wanted = [...new Set(rows.map((row) => row.cornerStoreId).filter((id) => id != null))];
  if (wanted.length === 0) return new Map();
  const asked = { cornerStoreIds: wanted.join(',') };
  const found = await unlessDown(firstPage(viewer.ops.cornerStores.list(asked)));
  return new Map(
    found?.cornerStores.map((store) => [
      store.cornerStoreId,
      { ...store, name: storeNameOf(store) },
    ]),
  );
}

/** A store as a link with its name; without one, what else names it. */
export function storeLink(names: StoreNames, cornerStoreId: string, otherwise: string): Html {
  const name = names.get(cornerStoreId)?.name ?? otherwise;
  return link(`/tiendas/${cornerStoreId}`, named(name));
}

/** The column of the store that a row is about; a dash where it is about none. */
export function storeColumn(): Column<{ cornerStoreId: string | null }, StoreNames> {
  return [
    say('Tienda', 'Store'),
    ({ cornerStoreId: id }, stores) => (id == null ? '—' : storeLink(stores, id, '—')),
  ];
}

/** Wholesalers of a choice, the newest: a longer list is no choice, and makes a page large. */
const MAX_CHOICES = 100;
/** Pages of a hundred in which names are looked for: more wholesalers than a lender has. */
const MAX_NAME_PAGES = 50;

/**
 * The newest wholesalers of the lender, for a filter or a form, and the one that the address or the form
 * names: without it the browser would choose the first option in its place, which is all of them.
 */
export async function wholesalerChoices(visit: Visit): Promise<Choices> {
  const list = visit.viewer.ops.wholesalers.list({ limit: MAX_CHOICES });
  const { wholesalers } = await firstPage(list);
  const all = wholesalers.map(({ wholesalerId, name }) => [wholesalerId, name] as const);
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
  choices: Choices,
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
export function wholesalerFilter(
  visit: Visit,
  choices: Choices | Promise<Choices> = wholesalerChoices(visit),
): ValueFilter {
  return ['mayorista', say('Mayorista', 'Wholesaler'), 'wholesalerId', choices];
}

/** The wholesaler that a report is asked for. */
export function wholesalerOf(visit: Visit): { wholesalerId?: string } {
  const wholesalerId = queryOf(visit, 'mayorista');
  return wholesalerId === '' ? {} : { wholesalerId };
}

/** The field of a form for one wholesaler or all, with the one that the address names chosen. */
export function wholesalerField(visit: Visit, choices: Choices): Field {
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
