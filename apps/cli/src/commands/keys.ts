import { id } from '../arguments';
import type { CliCommand } from '../command';
import { UsageError } from '../errors';
import { nounOf } from '../operation-commands';
import { printPages } from '../output';

interface ListOptions {
  wholesaler?: string;
  provider?: string;
  cursor?: string;
  all?: true;
}

const COLUMNS = ['apiKeyId', 'scopes', 'expiresAt', 'revokedAt', 'lastUsedAt', 'createdAt'];

/** fiado keys list: of either owner, in one command. */
export function addKeyListCommand(program: CliCommand): void {
  nounOf(program, 'keys')
    .command('list')
    .description('list the keys of one wholesaler or payment provider, newest first')
    .option('--wholesaler <id>', 'the wholesaler', id)
    .option('--provider <id>', 'the payment provider', id)
    .option('--cursor <cursor>', 'where the page begins: nextCursor of the page before')
    .option('--all', 'every page; with --json one row on each line')
    .example('fiado keys list --wholesaler 0b0c6f3e-5a1c-4a44-9f3e-0a5b2f8b7c11')
    .work(async ({ ops, out }, { wholesaler, provider, cursor, all }: ListOptions) => {
      if ((wholesaler === undefined) === (provider === undefined)) {
        throw new UsageError('use --wholesaler or --provider');
      }
      const pages =
        wholesaler === undefined
          ? ops.paymentProviders.listKeys(provider ?? '', { cursor })
          : ops.wholesalers.listKeys(wholesaler, { cursor });
      await printPages(out, pages, { all: all === true, items: 'apiKeys', columns: COLUMNS });
    });
}
