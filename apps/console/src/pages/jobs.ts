import { NOTHING } from '@fiado/shared/html';
import { partOf, type Visit } from '../http/visit';
import { textOf, timeOf } from './formats';
import { buttonForm } from './form';
import { listPage } from './list-page';
import type { Page, Redirect } from './page';

interface Job {
  jobId: string;
  queue: string;
  type: string;
  attempts: number;
  failedReason: string | null;
  failedAt: string | null;
}

/** Jobs that failed for good, with a button to try each again. */
export function showJobs(visit: Visit): Promise<Page> {
  const { say, viewer } = visit;
  return listPage<Job>(visit, {
    title: say('Trabajos fallidos', 'Failed jobs'),
    path: '/jobs?state=failed',
    rowsOf: (answer) => answer['jobs'] as Job[],
    columns: [
      [say('Servicio', 'Service'), ({ queue }) => queue],
      [say('Tipo', 'Type'), ({ type }) => type],
      [say('Intentos', 'Attempts'), ({ attempts }) => textOf(attempts)],
      [say('Error', 'Error'), ({ failedReason }) => textOf(failedReason)],
      [say('Falló', 'Failed'), ({ failedAt }) => timeOf(failedAt)],
      [
        say('Acción', 'Action'),
        ({ queue, jobId }) =>
          viewer.role === 'viewer'
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
  const path = `/jobs/${partOf(visit, 'queue')}/${partOf(visit, 'jobId')}/retry`;
  await visit.viewer.api.call('POST', path);
  return { redirect: '/trabajos' };
}
