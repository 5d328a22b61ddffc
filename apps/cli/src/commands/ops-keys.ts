import { Option, type Command } from 'commander';
import { SCOPES_OF_KIND } from '@fiado/contracts/scopes';
import { id } from '../arguments';
import type { BodyOf } from '@fiado/ops-client/operations';
import { printPages, withPages, type PageOptions } from '../pages';
import { printSecret } from '../print-secret';
import type { OpenSession } from '../session';

const COLUMNS = [
  'opsKeyId',
  'name',
  'scope',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
  'createdAt',
] as const;

/** fiado ops-keys create | list | revoke. */
export function addOpsKeyCommands(program: Command, open: OpenSession): void {
  const keys = program.command('ops-keys').description('create, list and revoke named ops keys');

  keys
    .command('create')
    .description('create an ops key')
    .requiredOption('--name <name>', 'the person or machine that uses it')
    .addOption(
      new Option('--scope <scope>', 'scope; each includes the previous ones')
        .choices(SCOPES_OF_KIND.ops)
        .makeOptionMandatory(),
    )
    .requiredOption('--expires-at <time>', 'expiry, at most 366 days ahead')
    .addHelpText(
      'after',
      '\nExample:\n  fiado ops-keys create --name "Ana, back office" --scope operator --expires-at 2027-06-30T00:00:00Z',
    )
    .action(async (body: BodyOf<'issueOpsKey'>, command: Command) => {
      const { ops, out } = await open(command);
      printSecret(out, await ops.opsKeys.issue(body));
    });

  withPages(keys.command('list'))
    .description('list ops keys, newest first')
    .addHelpText('after', '\nExample:\n  fiado ops-keys list --all')
    .action(async ({ cursor, all }: PageOptions, command: Command) => {
      const { ops, out } = await open(command);
      const list = ops.opsKeys.list({ cursor });
      await printPages(out, list, { rowsOf: (page) => page.opsKeys, columns: COLUMNS }, all);
    });

  keys
    .command('revoke')
    .description('revoke an ops key; takes effect within seconds')
    .argument('<opsKeyId>', '', id)
    .addHelpText(
      'after',
      '\nExample:\n  fiado ops-keys revoke 7e0d9c0a-94a2-4e6f-8d31-3f0f5f0d6b21',
    )
    .action(async (opsKeyId: string, _options: object, command: Command) => {
      const { ops, out } = await open(command);
      await ops.opsKeys.revoke(opsKeyId);
      out.result({ opsKeyId, revoked: true }, () => `${opsKeyId} is revoked`);
    });
}
