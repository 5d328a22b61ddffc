/** A list of any length, read page by page as it is used. */
export interface Pages<Page, Item> extends AsyncIterable<Item> {
  /** The pages as the API answers them. */
  pages(): AsyncIterable<Page>;
}

/** How a page leads to the next one: by cursor, or by its number. */
interface Link {
  nextCursor?: string | null;
  last?: boolean;
}

/**
 * @param readPage reads a page, with these changes of the query
 * @param items property of a page that has its items
 */
export function pagesOf<Page extends object, Item>(
  readPage: (changes: Record<string, string>) => Promise<Page>,
  items: string,
): Pages<Page, Item> {
  async function* pages(): AsyncGenerator<Page, void, undefined> {
    let changes: Record<string, string> | undefined = {};
    for (let number = 1; changes !== undefined; number += 1) {
      const page: Page = await readPage(changes);
      yield page;
      changes = nextOf(page, number);
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* (page as Record<string, Item[]>)[items] ?? [];
    },
  };
}

function nextOf({ nextCursor, last }: Link, number: number): Record<string, string> | undefined {
  if (typeof nextCursor === 'string') return { cursor: nextCursor };
  return last === false ? { page: String(number + 1) } : undefined;
}
