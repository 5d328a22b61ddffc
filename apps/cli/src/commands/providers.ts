import type { BodyOf } from '@fiado/ops-client/operations';
import { id } from '../arguments';
import type { CliCommand, PageOptions } from '../command';
import { printSecret } from '../output';

const COLUMNS = [
  'paymentProviderId',
  'name',
  'timeZone',
  'signatureRequired',
  'allowedAddresses',
] as const;

/** fiado providers list | create | create-key. */
export function addProviderCommands(program: CliCommand): void {
  const providers = program
    .command('providers')
    .description('list and create payment providers, and their keys');

  providers
    .list('list')
    .description('list payment providers, newest first')
    .example('fiado providers list')
    .pages(
      ({ ops }, query: PageOptions) => ops.paymentProviders.list(query),
      (page) => page.paymentProviders,
      COLUMNS,
    );

  providers
    .command('create')
    .description('create a payment provider and its API key')
    .requiredOption('--name <name>', 'the name that it sends in its deposits')
    .option('--time-zone <zone>', 'time zone of its payment dates (default America/Mexico_City)')
    .example('fiado providers create --name pagos-mx')
    .work(async ({ ops, out }, body: BodyOf<'createPaymentProvider'>) =>
      printSecret(out, await ops.paymentProviders.create(body)),
    );

  providers
    .command('create-key')
    .description('create another API key of a payment provider; existing keys stay valid')
    .argument('<paymentProviderId>', '', id)
    .option('--expires-at <time>', 'expiry, such as 2027-01-31T00:00:00Z')
    .example('fiado providers create-key 0199e2c4-7b2c-7d3e-9f40-516273849506')
    .work(async ({ ops, out }, providerId: string, body: { expiresAt?: string }) =>
      printSecret(out, await ops.paymentProviders.issueKey(providerId, body)),
    );
}
