import { InvalidArgumentError, Option } from 'commander';
import { SCOPES_OF_KIND } from '@fiado/contracts/caller';
import type { BodyOf } from '@fiado/ops-client/operations';
import { id } from '../arguments';
import type { CliCommand, PageOptions } from '../command';
import { UsageError } from '../errors';
import { printSecret } from '../output';

const COLUMNS = [
  'apiKeyId',
  'scopes',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
  'createdAt',
] as const;

const OPS_KEY_COLUMNS = [
  'opsKeyId',
  'name',
  'scope',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
  'createdAt',
] as const;

const STATUS_COLUMNS = ['service', 'heldNumber', 'sealingNumber', 'oldRows'] as const;

interface ListOptions extends PageOptions {
  wholesaler?: string;
  provider?: string;
}

/** fiado keys list | create | revoke, and those of data keys. */
export function addKeyCommands(program: CliCommand): void {
  const keys = program
    .command('keys')
    .description('API keys of wholesalers and providers; keys that encrypt personal data');

  keys
    .list('list')
    .description('list the keys of one wholesaler or payment provider, newest first')
    .option('--wholesaler <id>', 'the wholesaler', id)
    .option('--provider <id>', 'the payment provider', id)
    .example('fiado keys list --wholesaler 0b0c6f3e-5a1c-4a44-9f3e-0a5b2f8b7c11')
    .pages(
      ({ ops }, { wholesaler, provider, cursor }: ListOptions) => {
        if (provider !== undefined && wholesaler === undefined) {
          return ops.paymentProviders.listKeys(provider, { cursor });
        }
        if (wholesaler !== undefined && provider === undefined) {
          return ops.wholesalers.listKeys(wholesaler, { cursor });
        }
        throw new UsageError('use --wholesaler or --provider');
      },
      (page) => page.apiKeys,
      COLUMNS,
    );

  keys
    .command('create')
    .description('create another API key of a wholesaler; existing keys stay valid')
    .argument('<wholesalerId>', '', id)
    .option('--expires-at <time>', 'expiry, such as 2027-01-31T00:00:00Z')
    .example(
      'fiado keys create 0b0c6f3e-5a1c-4a44-9f3e-0a5b2f8b7c11 --expires-at 2027-01-31T00:00:00Z',
    )
    .work(async ({ ops, out }, wholesalerId: string, options: { expiresAt?: string }) =>
      printSecret(out, await ops.wholesalers.issueKey(wholesalerId, options)),
    );

  keys
    .command('revoke')
    .description('revoke an API key; takes effect within seconds')
    .argument('<apiKeyId>', '', id)
    .example('fiado keys revoke 7e0d9c0a-94a2-4e6f-8d31-3f0f5f0d6b21')
    .work(async ({ ops, out }, apiKeyId: string) => {
      await ops.apiKeys.revoke(apiKeyId);
      out.result({ apiKeyId, revoked: true }, () => `${apiKeyId} is revoked`);
    });

  addDataKeyCommands(keys);
}

/** fiado keys status | rotate | retire: the keys that encrypt personal data. */
function addDataKeyCommands(keys: CliCommand): void {
  keys
    .command('status')
    .description('show the keys that encrypt personal data, and how far each service is')
    .example('fiado keys status')
    .work(async ({ ops, out }) => {
      const shown = await ops.dataKeys.show();
      out.result(shown, () =>
        [
          ...shown.dataKeys.map(
            ({ dataKeyNumber, createdAt, sealingFrom }) =>
              `key ${dataKeyNumber}, made ${createdAt}, ${sealingFrom === null ? 'not in use yet' : `in use since ${sealingFrom}`}`,
          ),
          ...shown.sealingServices.map((service) =>
            STATUS_COLUMNS.map((column) => `${column} ${service[column]}`).join('  '),
          ),
          ...shown.missing.map((service) => `${service} does not answer`),
        ].join('\n'),
      );
    });

  keys
    .command('rotate')
    .description('make a new key for personal data; it comes into use once every process has it')
    .example('fiado keys rotate')
    .work(async ({ ops, out }) => {
      const made = await ops.dataKeys.rotate();
      out.result(
        made,
        () => `Key ${made.dataKeyNumber} is made; fiado keys status shows its progress`,
      );
    });

  keys
    .command('retire')
    .description('delete an old key for personal data, which nothing needs any more')
    .argument('<number>', 'its number', wholeNumber)
    .example('fiado keys retire 0')
    .work(async ({ ops, out }, dataKeyNumber: number) => {
      await ops.dataKeys.retire({ dataKeyNumber });
      out.result({ dataKeyNumber, retired: true }, () => `Key ${dataKeyNumber} is deleted`);
    });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Give the number of a key.');
  return Number(text);
}

/** fiado ops-keys create | list | revoke. */
export function addOpsKeyCommands(program: CliCommand): void {
  const opsKeys = program.command('ops-keys').description('create, list and revoke named ops keys');

  opsKeys
    .command('create')
    .description('create an ops key')
    .requiredOption('--name <name>', 'the person or machine that uses it')
    .addOption(
      new Option('--scope <scope>', 'scope; each includes the previous ones')
        .choices(SCOPES_OF_KIND.ops)
        .makeOptionMandatory(),
    )
    .requiredOption('--expires-at <time>', 'expiry, at most 366 days ahead')
    .example(
      'fiado ops-keys create --name "Ana, back office" --scope operator --expires-at 2027-06-30T00:00:00Z',
    )
    .work(async ({ ops, out }, body: BodyOf<'issueOpsKey'>) =>
      printSecret(out, await ops.opsKeys.issue(body)),
    );

  opsKeys
    .list('list')
    .description('list ops keys, newest first')
    .example('fiado ops-keys list --all')
    .pages(
      ({ ops }, query: PageOptions) => ops.opsKeys.list(query),
      (page) => page.opsKeys,
      OPS_KEY_COLUMNS,
    );

  opsKeys
    .command('revoke')
    .description('revoke an ops key; takes effect within seconds')
    .argument('<opsKeyId>', '', id)
    .example('fiado ops-keys revoke 7e0d9c0a-94a2-4e6f-8d31-3f0f5f0d6b21')
    .work(async ({ ops, out }, opsKeyId: string) => {
      await ops.opsKeys.revoke(opsKeyId);
      out.result({ opsKeyId, revoked: true }, () => `${opsKeyId} is revoked`);
    });
}
