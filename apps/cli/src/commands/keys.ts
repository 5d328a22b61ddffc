import type { Command } from 'commander';
import { id } from '../arguments';
import { printNewKey } from '../print-new-key';
import type { OpenSession } from '../session';

/** fiado keys create | revoke. */
export function addKeyCommands(program: Command, open: OpenSession): void {
  const keys = program.command('keys').description('create and revoke API keys of wholesalers');

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
      printNewKey(out, await ops.wholesalers.issueKey(wholesalerId, options));
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
}
