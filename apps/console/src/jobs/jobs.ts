import { html } from '@fiado/chassis/html';
import { SERVICES } from '@fiado/contracts/process-names';
import { buttonForm } from '../frame/form';
import { choiceFilter, listFilters } from '../frame/filters';
import { listPage } from '../frame/lists';
import { missingNotice, serviceName } from '../frame/refusal';
import { act, change, show, type Route } from '../frame/serve';
import { idOf, mayDo, queryOf, type Page, type Redirect, type Visit } from '../frame/visit';
import { say } from '../frame/words';

const jobs = show('/trabajos', showJobs);

export const jobRoutes: Route[] = [
  jobs,
  change(jobs, ':queue/:jobId/repetir', 'repetido', 'retryJob'),
  act('/trabajos/:queue/repetir', retryQueue, showJobs),
];

/** Jobs that failed for good, of all services or one, with buttons to try them again. */
function showJobs(visit: Visit): Promise<Page> {
  const { viewer } = visit;
  const asked = queryOf(visit, 'cola');
  const queue = SERVICES.find((one) => one === asked);
  const mayRetry = mayDo(viewer, 'operator');
  const { chips } = listFilters(visit, '/trabajos', {
    filters: [
      choiceFilter(
        visit,
        'cola',
        say('Servicio', 'Service'),
        SERVICES.map((one) => [one, serviceName(one)] as const),
      ),
    ],
  });
  return listPage(visit, {
    title: say('Trabajos fallidos', 'Failed jobs'),
    list: (page) => viewer.ops.jobs.list({ state: 'failed', queue, ...page }),
    rowsOf: ({ jobs }) => jobs,
    lead: say(
      'Trabajos que fallaron en todos sus intentos.',
      'Jobs that failed at each of their attempts.',
    ),
    // A notifier of version 1.0 does not answer `missing`, during an update.
    before: (page) => html`${missingNotice('missing' in page ? page.missing : [])} ${chips}`,
    actions:
      queue !== undefined &&
      mayRetry &&
      buttonForm(viewer, {
        action: `/trabajos/${queue}/repetir`,
        label: say(`Repetir todos los de ${serviceName(queue)}`, `Retry all of ${queue}`),
      }),
    empty: say('Ningún trabajo ha fallado.', 'No job has failed.'),
    columns: [
      [say('Servicio', 'Service'), ({ queue }) => serviceName(queue)],
      [say('Tipo', 'Type'), 'type', 'name'],
      [say('Intentos', 'Attempts'), 'attempts'],
      [say('Error', 'Error'), 'failedReason'],
      [say('Falló', 'Failed'), 'failedAt', 'when'],
      [
        say('Acción', 'Action'),
        ({ queue, jobId }) =>
          mayRetry &&
          buttonForm(viewer, {
            action: `/trabajos/${encodeURIComponent(queue)}/${encodeURIComponent(jobId)}/repetir`,
            label: say('Repetir', 'Retry'),
          }),
      ],
    ],
  });
}

/** Retries the failed jobs of a queue, a thousand at a time. */
async function retryQueue(visit: Visit): Promise<Redirect> {
  const queue = idOf(visit, 'queue');
  await visit.viewer.ops.jobs.retryAll(queue);
  return { redirect: `/trabajos?cola=${encodeURIComponent(queue)}`, done: 'repetido' };
}
