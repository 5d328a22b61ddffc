import { NOTHING } from '@fiado/shared/html';
import { partOf, type Visit } from '../http/visit';
import { textOf, timeOf } from './formats';
import { buttonForm } from './form';
import { listPage } from './list-page';
import type { Page, Redirect } from './page';

interface WebhookEndpoint {
  webhookEndpointId: string;
  url: string;
  state: string;
  failures: number;
  failingSince: string | null;
}

/** Webhook endpoints of all owners, with those that were disabled. */
export function showWebhooks(visit: Visit): Promise<Page> {
  const { say, viewer } = visit;
  return listPage<WebhookEndpoint>(visit, {
    title: 'Webhooks',
    path: '/webhook-endpoints',
    rowsOf: (answer) => answer['webhookEndpoints'] as WebhookEndpoint[],
    columns: [
      ['URL', ({ url }) => url],
      [say('Estado', 'State'), ({ state }) => state],
      [say('Fallos', 'Failures'), ({ failures }) => textOf(failures)],
      [say('Falla desde', 'Failing since'), ({ failingSince }) => timeOf(failingSince)],
      [
        say('Acción', 'Action'),
        ({ webhookEndpointId: id, state }) =>
          state === 'disabled' && viewer.role !== 'viewer'
            ? buttonForm(viewer, {
                action: `/webhooks/${id}/activar`,
                label: say('Activar', 'Enable'),
              })
            : NOTHING,
      ],
    ],
  });
}

export async function enableWebhook(visit: Visit): Promise<Redirect> {
  const id = partOf(visit, 'webhookEndpointId');
  await visit.viewer.api.call('POST', `/webhook-endpoints/${id}/enable`);
  return { redirect: '/webhooks' };
}
