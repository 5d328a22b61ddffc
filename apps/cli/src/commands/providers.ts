import type { Command } from 'commander';
import { id } from '../arguments';
import type { AnswerOf, BodyOf } from '@fiado/ops-client/operations';
import { printPages, withPages, type PageOptions } from '../pages';
import { printSecret } from '../print-secret';
import type { OpenSession } from '../session';

const COLUMNS = [
  'paymentProviderId',
  'name',
  'timeZone',
  'signatureRequired',
  'allowedAddresses',
] as const;

/** fiado providers list | create | create-key. */
export function addProviderCommands(program: Command, open: OpenSession): void {
  const providers = program
    .command('providers')
    .description('list and create payment providers, and their keys');

  withPages(providers.command('list'))
    .description('list payment providers, newest first')
    .addHelpText('after', '\nExample:\n  fiado providers list')
    .action(async ({ cursor, all }: PageOptions, command: Command) => {
      const { ops, out } = await open(command);
      const list = ops.paymentProviders.list({ cursor });
      const rowsOf = (page: AnswerOf<'listPaymentProviders'>) => page.paymentProviders;
      await printPages(out, list, { rowsOf, columns: COLUMNS }, all);
    });

  providers
    .command('create')
    .description('create a payment provider and its API key')
    .requiredOption('--name <name>', 'the name that it sends in its deposits')
    .option('--time-zone <zone>', 'time zone of its payment dates (default America/Mexico_City)')
    .addHelpText('after', '\nExample:\n  fiado providers create --name pagos-mx')
    .action(async (body: BodyOf<'createPaymentProvider'>, command: Command) => {
      const { ops, out } = await open(command);
      printSecret(out, await ops.paymentProviders.create(body));
    });

  providers
    .command('create-key')
    .description('create another API key of a payment provider; existing keys stay valid')
    .argument('<paymentProviderId>', '', id)
    .option('--expires-at <time>', 'expiry, such as 2027-01-31T00:00:00Z')
    .addHelpText(
      'after',
      '\nExample:\n  fiado providers create-key 0199e2c4-7b2c-7d3e-9f40-516273849506',
    )
    .action(async (providerId: string, body: { expiresAt?: string }, command: Command) => {
      const { ops, out } = await open(command);
      printSecret(out, await ops.paymentProviders.issueKey(providerId, body));
    });
}
