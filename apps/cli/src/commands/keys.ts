import type { Command } from 'commander';
import { id } from '../arguments';
import { UsageError } from '../errors';
import { printPages, withPages, type PageOptions } from '../pages';
import { printSecret } from '../print-secret';
import type { OpenSession } from '../session';
import { addDataKeyCommands } from './data-keys';

const COLUMNS = [
  'apiKeyId',
  'scopes',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
  'createdAt',
] as const;

interface ListOptions extends PageOptions {
  wholesaler?: string;
  provider?: string;
}

/** fiado keys list | create | revoke, and those of data keys. */
export function addKeyCommands(program: Command, open: OpenSession): void {
  const keys = program
    .command('keys')
    .description('API keys of wholesalers and providers; keys that encrypt personal data');

  withPages(keys.command('list'))
    .description('list the keys of one wholesaler or payment provider, newest first')
    .option('--wholesaler <id>', 'the wholesaler', id)
    .option('--provider <id>', 'the payment provider', id)
    .addHelpText(
      'after',
      '\nExample:\n  fiado keys list --wholesaler 0b0c6f3e-5a1c-4a44-9f3e-0a5b2f8b7c11',
    )
    .action(async ({ wholesaler, provider, cursor, all }: ListOptions, command: Command) => {
      if ((wholesaler === undefined) === (provider === undefined)) {
        throw new UsageError('use --wholesaler or --provider');
      }
      const { ops, out } = await open(command);
      const list =
        wholesaler === undefined
          ? ops.paymentProviders.listKeys(provider ?? '', { cursor })
          : ops.wholesalers.listKeys(wholesaler, { cursor });
      await printPages(out, list, { rowsOf: (page) => page.apiKeys, columns: COLUMNS }, all);
    });

  keys
    .command('create')
    .description('create another API key of a wholesaler; existing keys stay valid')
    .argument('<wholesalerId>', '', id)
    .option('--expires-at <time>', 'expiry, such as 2027-01-31T00:00:00Z')
    .addHelpText(
      'after',
      '\nExample:\n  fiado keys create 0b0c6f3e-5a1c-4a44-9f3e-0a5b2f8b7c11 --expires-at 2027-01-31T00:00:00Z',
    )
    .action(async (wholesalerId: string, options: { expiresAt?: string }, command: Command) => {
      const { ops, out } = await open(command);
      printSecret(out, await ops.wholesalers.issueKey(wholesalerId, options));
    });

  keys
    .command('revoke')
    .description('revoke an API key; takes effect within seconds')
    .argument('<apiKeyId>', '', id)
    .addHelpText('after', '\nExample:\n  fiado keys revoke 7e0d9c0a-94a2-4e6f-8d31-3f0f5f0d6b21')
    .action(async (apiKeyId: string, _options: object, command: Command) => {
      const { ops, out } = await open(command);
      await ops.apiKeys.revoke(apiKeyId);
      out.result({ apiKeyId, revoked: true }, () => `${apiKeyId} is revoked`);
    });

  addDataKeyCommands(keys, open);
}
