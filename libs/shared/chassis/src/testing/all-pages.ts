import type { Answer } from './call';

/**
 * The rows of all pages of a list, in their order.
 * @param field of an answer, which has the rows
 * @param read a page; what it gets ends the query: nothing for the first page, else `&cursor=…`
 */
export async function rowsOfAll(
  field: string,
  read: (cursor: string) => Promise<Answer>,
): Promise<Array<Answer['body']>> {
  const rows: Array<Answer['body']> = [];
  for (let cursor = ''; ;) {
    const { status, body, text } = await read(cursor);
    if (status !== 200) throw new Error(text);
    rows.push(...body[field]);
    if (body.nextCursor === null) return rows;
    cursor = `&cursor=${body.nextCursor}`;
  }
}
