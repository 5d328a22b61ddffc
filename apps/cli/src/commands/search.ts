import type { ItemOf } from '@fiado/ops-client/operations';
import type { CliCommand } from '../command';
import { tableOf } from '../output';

const COLUMNS = ['kind', 'matchedBy', 'id', 'cornerStoreId', 'wholesalerId', 'label'] as const;

/** fiado search. */
export function addSearchCommand(program: CliCommand): void {
  program
    .command('search')
    .description('find what an id, an external id, a number, a reference or a phone number names')
    .argument('<text>', 'compared as a whole')
    .example('fiado search tienda-001', 'fiado search +525512345678')
    .work(async ({ ops, out }, text: string) => {
      const result = await ops.search.find({ q: text });
      out.result(result, () => tableOf<ItemOf<'search', 'hits'>>(result.hits, COLUMNS));
      if (result.missing.length > 0) {
        out.note(`not searched, because they did not answer: ${result.missing.join(', ')}`);
      }
    });
}
