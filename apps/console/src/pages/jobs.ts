import { html, NOTHING } from '@fiado/chassis/html';
import { SERVICES } from '@fiado/contracts/process-names';
import { idOf, queryOf, type Visit } from '../http/visit';
import { mayDo } from '../viewer';
import { filterLinks } from './filter-links';
import { textOf, timeOf } from './formats';
import { buttonForm } from './form';
import { listPage } from './list-page';
import type { Page, Redirect } from './page';

/** Jobs that failed for good, of all services or one, with buttons to try them again. */
export function showJobs(visit: Visit): Promise<Page> {
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

export async function retryJob(visit: Visit): Promise<Redirect> {
  await visit.viewer.ops.jobs.retry(idOf(visit, 'queue'), idOf(visit, 'jobId'));
  return { redirect: '/trabajos' };
}

/** Retries the failed jobs of a queue, a thousand at a time. */
export async function retryQueue(visit: Visit): Promise<Redirect> {
  const queue = idOf(visit, 'queue');
  await visit.viewer.ops.jobs.retryAll(queue);
  return { redirect: `/trabajos?cola=${encodeURIComponent(queue)}` };
}
