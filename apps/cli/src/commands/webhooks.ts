import type { Command } from 'commander';
import { id } from '../arguments';
import { recordOf } from '../output';
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
];
const DELIVERY_COLUMNS = [
  'deliveryId',
  'webhookEndpointId',
  'type',
  'status',
  'attempts',
  'lastStatusCode',
  'lastError',
  'nextAttemptAt',
];

interface EndpointOptions extends PageOptions {
  owner?: string;
  state?: string;
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
    .action(async ({ owner, state, ...pages }: EndpointOptions, command: Command) => {
      const query = { ownerId: owner, state };
      const field = 'webhookEndpoints';
      const listing = { path: '/webhook-endpoints', query, field, columns: ENDPOINT_COLUMNS };
      await printPages(await open(command), listing, pages);
    });

  withPages(webhooks.command('failing'))
    .description('list webhooks that failed or wait for another attempt, newest first')
    .option('--owner <id>', 'only of this wholesaler or payment provider')
    .option('--endpoint <id>', 'only to this webhook endpoint')
    .action(async ({ owner, endpoint, ...pages }: DeliveryOptions, command: Command) => {
      const query = { ownerId: owner, webhookEndpointId: endpoint };
      const field = 'deliveries';
      const listing = { path: '/webhook-deliveries', query, field, columns: DELIVERY_COLUMNS };
      await printPages(await open(command), listing, pages);
    });

  webhooks
    .command('enable')
    .description('enable a webhook endpoint that was disabled')
    .argument('<webhookEndpointId>', '', id)
    .action(async (webhookEndpointId: string, _options: object, command: Command) => {
      const { api, out } = await open(command);
      const path = `/webhook-endpoints/${webhookEndpointId}/enable`;
      const enabled = await api.call<object>('POST', path);
      out.result(enabled, () => recordOf(enabled));
    });
}
