import type { QueryOf } from '@fiado/ops-client/operations';
import { id } from '../arguments';
import type { CliCommand, PageOptions } from '../command';

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
export function addWebhookCommands(program: CliCommand): void {
  const webhooks = program
    .command('webhooks')
    .description('list webhook endpoints and what fails, enable an endpoint');

  webhooks
    .list('list')
    .description('list the webhook endpoints of all owners')
    .option('--owner <id>', 'only of this wholesaler or payment provider')
    .option('--state <state>', 'enabled, paused or disabled')
    .example('fiado webhooks list --state disabled')
    .pages(
      ({ ops }, { owner, state, cursor }: EndpointOptions) =>
        ops.webhookEndpoints.list({ ownerId: owner, state, cursor }),
      (page) => page.webhookEndpoints,
      ENDPOINT_COLUMNS,
    );

  webhooks
    .list('failing')
    .description('list webhooks that failed or wait for another attempt, newest first')
    .option('--owner <id>', 'only of this wholesaler or payment provider')
    .option('--endpoint <id>', 'only to this webhook endpoint')
    .example('fiado webhooks failing --all')
    .pages(
      ({ ops }, { owner, endpoint, cursor }: DeliveryOptions) =>
        ops.webhookEndpoints.listFailing({ ownerId: owner, webhookEndpointId: endpoint, cursor }),
      (page) => page.deliveries,
      DELIVERY_COLUMNS,
    );

  webhooks
    .command('enable')
    .description('enable a webhook endpoint that was disabled')
    .argument('<webhookEndpointId>', '', id)
    .example('fiado webhooks enable 0199e2c4-7b2c-7d3e-9f40-516273849506')
    .work(async ({ ops, out }, webhookEndpointId: string) =>
      out.record(await ops.webhookEndpoints.enable(webhookEndpointId)),
    );
}
