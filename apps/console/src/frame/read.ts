import type { Pages } from '@fiado/client';
import { ROUTES } from '@fiado/ops-client/generated/resources';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { ApiRefusal, methodOf } from '../api';
import type { Visit } from './visit';

type Routes = typeof ROUTES;

/** An operation of the API that answers pages of rows. */
export type ListId = {
  [Id in keyof Routes]: Routes[Id] extends { items: string } ? Id : never;
}[keyof Routes];

/** A row of the pages of a list. */
export type RowOf<Id extends ListId> = {
  [Name in keyof AnswerOf<Id>]-?: AnswerOf<Id>[Name] extends Array<infer Row extends object>
    ? Row
    : never;
}[keyof AnswerOf<Id>];

/** What a list is asked for; undefined is left out. */
export type Query = Record<string, unknown>;

/** A list of the API, and what it is asked for in any case. */
export interface Read<Id extends ListId> {
  of: Id;
  /** Of its path. */
  ids?: string[];
  asked?: Query;
}

/** The pages of a list. */
export function pagesOf<Id extends ListId>(
  { viewer }: Visit,
  { of, ids = [], asked }: Read<Id>,
  page: Query = {},
): Pages<AnswerOf<Id>, RowOf<Id>> {
  const method = methodOf(viewer.ops, of);
  return method(...ids, { ...asked, ...page }) as Pages<AnswerOf<Id>, RowOf<Id>>;
}

/** The rows of a page. */
export function rowsIn<Id extends ListId>(of: Id, answer: AnswerOf<Id>): Array<RowOf<Id>> {
  return (answer as Record<string, Array<RowOf<Id>>>)[ROUTES[of].items] ?? [];
}

/** The page that a list begins with; the others are not read. */
export async function firstPage<Answer>(list: Pages<Answer, unknown>): Promise<Answer> {
  for await (const page of list.pages()) return page;
  throw new Error('A list has at least one page');
}

/** Undefined while the service that knows the answer does not answer. */
export async function unlessDown<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch((error: unknown) => {
    if (!(error instanceof ApiRefusal)) throw error;
    return undefined;
  });
}
