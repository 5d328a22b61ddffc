import type { Command } from 'commander';
import { tableOf } from '../output';
import type { ItemOf } from '@fiado/ops-client/operations';
import type { OpenSession } from '../session';

const COLUMNS = ['kind', 'matchedBy', 'id', 'cornerStoreId', 'wholesalerId', 'label'] as const;

/** fiado search. */
export function addSearchCommand(program: Command, open: OpenSession): void {
  program
    .command('search')
    .description('find what an id, an external id, a number, a reference or a phone number names')
    .argument('<text>', 'compared as a whole')
    .addHelpText('after', '\nExamples:\n  fiado search tienda-001\n  fiado search +525512345678')
    .action(async (text: string, _options: object, command: Command) => {
      const { ops, out } = await open(command);
      const result = await ops.search.find({ q: text });
      out.result(result, () => tableOf<ItemOf<'search', 'hits'>>(result.hits, COLUMNS));
      if (result.missing.length > 0) {
        out.note(`not searched, because they did not answer: ${result.missing.join(', ')}`);
      }
    });
}
