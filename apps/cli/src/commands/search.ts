import type { ItemOf } from '@fiado/ops-client/operations';
import type { CliCommand } from '../command';
import { tableOf } from '../output';

const COLUMNS = ['kind', 'matchedBy', 'id', 'cornerStoreId', 'wholesalerId', 'label'] as const;

/** fiado search. */
export function addSearchCommand(program: CliCommand): void {
  program
    .command('search')
    .description(
      'find what an id, an external id, a number, a reference, a phone number or a name names',
    )
    .argument('<text...>', 'compared as a whole; of a name, words or parts of words')
    .example('fiado search tienda-001', 'fiado search +525512345678', 'fiado search lupita ortega')
    .work(async ({ ops, out }, words: string[]) => {
      const result = await ops.search.find({ q: words.join(' ') });
      out.result(result, () => tableOf<ItemOf<'search', 'hits'>>(result.hits, COLUMNS));
      if (result.missing.length > 0) {
        out.note(`not searched, because they did not answer: ${result.missing.join(', ')}`);
      }
    });
}
