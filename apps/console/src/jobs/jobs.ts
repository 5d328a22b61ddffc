import { html, NOTHING } from '@fiado/chassis/html';
import { SERVICES } from '@fiado/contracts/process-names';
import { buttonForm } from '../frame/form';
import { textOf, timeOf } from '../frame/formats';
import { filterLinks, listPage } from '../frame/lists';
import { act, show, type Route } from '../frame/serve';
import { idOf, mayDo, queryOf, type Page, type Redirect, type Visit } from '../frame/visit';

export const jobRoutes: Route[] = [
  show('/trabajos', showJobs),
  act('/trabajos/:queue/:jobId/repetir', retryJob, showJobs),
  act('/trabajos/:queue/repetir', retryQueue, showJobs),
];

/** Jobs that failed for good, of all services or one, with buttons to try them again. */
function showJobs(visit: Visit): Promise<Page> {
  const { say, viewer } = visit;
  const asked = queryOf(visit, 'cola');
  const queue = SERVICES.find((one) => one === asked);
  const mayRetry = mayDo(viewer, 'operator');
  return listPage(visit, {
    title: say('Trabajos fallidos', 'Failed jobs'),
    list: (cursor) => viewer.ops.jobs.list({ state: 'failed', queue, cursor }),
    rowsOf: ({ jobs }) => jobs,
    before: html`${filterLinks(
      say,
      [
        ['/trabajos', say('todos', 'all')],
        ...SERVICES.map((one) => [`/trabajos?cola=${one}`, one] as const),
      ],
      queue === undefined ? '/trabajos' : `/trabajos?cola=${queue}`,
    )}
    ${
      queue === undefined || !mayRetry
        ? NOTHING
        : buttonForm(viewer, {
            action: `/trabajos/${queue}/repetir`,
            label: say(`Repetir todos los de ${queue}`, `Retry all of ${queue}`),
          })
    }`,
    empty: say('Ningún trabajo ha fallado.', 'No job has failed.'),
    columns: [
      [say('Servicio', 'Service'), ({ queue }) => queue],
      [say('Tipo', 'Type'), ({ type }) => type],
      [say('Intentos', 'Attempts'), ({ attempts }) => textOf(attempts)],
      [say('Error', 'Error'), ({ failedReason }) => textOf(failedReason)],
      [say('Falló', 'Failed'), ({ failedAt }) => timeOf(failedAt)],
      [
        say('Acción', 'Action'),
        ({ queue, jobId }) =>
          !mayRetry
            ? NOTHING
            : buttonForm(viewer, {
                action: `/trabajos/${encodeURIComponent(queue)}/${encodeURIComponent(jobId)}/repetir`,
                label: say('Repetir', 'Retry'),
              }),
      ],
    ],
  });
}

async function retryJob(visit: Visit): Promise<Redirect> {
  await visit.viewer.ops.jobs.retry(idOf(visit, 'queue'), idOf(visit, 'jobId'));
  return { redirect: '/trabajos' };
}

/** Retries the failed jobs of a queue, a thousand at a time. */
async function retryQueue(visit: Visit): Promise<Redirect> {
  const queue = idOf(visit, 'queue');
  await visit.viewer.ops.jobs.retryAll(queue);
  return { redirect: `/trabajos?cola=${encodeURIComponent(queue)}` };
}
