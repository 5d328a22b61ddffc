import type { Command } from 'commander';
import { id } from '../arguments';
import type { QueryOf } from '@fiado/ops-client/operations';
import { printPages, withPages, type PageOptions } from '../pages';
import type { OpenSession } from '../session';

const ENDPOINT_COLUMNS = [
  'webhookEndpointId',
  'ownerId',
  'url',
  'state',
  'disabledReason',
  'failures',
  'failingSince',
] as const;
const DELIVERY_COLUMNS = [
  'deliveryId',
  'webhookEndpointId',
  'type',
  'status',
  'attempts',
  'lastStatusCode',
  'lastError',
  'nextAttemptAt',
] as const;

interface EndpointOptions extends PageOptions {
  owner?: string;
  state?: QueryOf<'listAllWebhookEndpoints'>['state'];
}

interface DeliveryOptions extends PageOptions {
  owner?: string;
  endpoint?: string;
}

/** fiado webhooks list | failing | enable. */
export function addWebhookCommands(program: Command, open: OpenSession): void {
  const webhooks = program
    .command('webhooks')
    .description('list webhook endpoints and what fails, enable an endpoint');

  withPages(webhooks.command('list'))
    .description('list the webhook endpoints of all owners')
    .option('--owner <id>', 'only of this wholesaler or payment provider')
    .option('--state <state>', 'enabled, paused or disabled')
    .addHelpText('after', '\nExample:\n  fiado webhooks list --state disabled')
    .action(async ({ owner, state, cursor, all }: EndpointOptions, command: Command) => {
      const { ops, out } = await open(command);
      const list = ops.webhookEndpoints.list({ ownerId: owner, state, cursor });
      const columns = ENDPOINT_COLUMNS;
      await printPages(out, list, { rowsOf: (page) => page.webhookEndpoints, columns }, all);
    });

  withPages(webhooks.command('failing'))
    .description('list webhooks that failed or wait for another attempt, newest first')
    .option('--owner <id>', 'only of this wholesaler or payment provider')
    .option('--endpoint <id>', 'only to this webhook endpoint')
    .addHelpText('after', '\nExample:\n  fiado webhooks failing --all')
    .action(async ({ owner, endpoint, cursor, all }: DeliveryOptions, command: Command) => {
      const { ops, out } = await open(command);
      const query = { ownerId: owner, webhookEndpointId: endpoint, cursor };
      const list = ops.webhookEndpoints.listFailing(query);
      const columns = DELIVERY_COLUMNS;
      await printPages(out, list, { rowsOf: (page) => page.deliveries, columns }, all);
    });

  webhooks
    .command('enable')
    .description('enable a webhook endpoint that was disabled')
    .argument('<webhookEndpointId>', '', id)
    .addHelpText(
      'after',
      '\nExample:\n  fiado webhooks enable 0199e2c4-7b2c-7d3e-9f40-516273849506',
    )
    .action(async (webhookEndpointId: string, _options: object, command: Command) => {
      const { ops, out } = await open(command);
      out.record(await ops.webhookEndpoints.enable(webhookEndpointId));
    });
}
