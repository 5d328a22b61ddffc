import { SERVICES } from '@fiado/contracts/process-names';
import { buttonForm } from '../frame/form';
import { list, type Listing } from '../frame/lists';
import { missingNotice, serviceName } from '../frame/refusal';
import { act, change, type Route } from '../frame/serve';
import { idOf, mayDo, queryOf, type Redirect, type Visit } from '../frame/visit';
import { say } from '../frame/words';

const jobs = list('/trabajos', jobsOf);

export const jobRoutes: Route[] = [
  jobs,
  change(jobs, ':queue/:jobId/repetir', 'repetido', 'retryJob'),
  act('/trabajos/:queue/repetir', retryQueue, jobs.page),
];

/** Jobs that failed for good, of all services or one, with buttons to try them again. */
function jobsOf(visit: Visit): Listing<'listJobs'> {
  const { viewer } = visit;
  const asked = queryOf(visit, 'cola');
  const queue = SERVICES.find((one) => one === asked);
  const mayRetry = mayDo(viewer, 'operator');
  const services = SERVICES.map((one) => [one, serviceName(one)] as const);
  return {
    of: 'listJobs',
    asked: { state: 'failed' },
    title: say('Trabajos fallidos', 'Failed jobs'),
    lead: say(
      'Trabajos que fallaron en todos sus intentos.',
      'Jobs that failed at each of their attempts.',
    ),
    actions:
      queue !== undefined &&
      mayRetry &&
      buttonForm(
        viewer,
        `/trabajos/${queue}/repetir`,
        say(`Repetir todos los de ${serviceName(queue)}`, `Retry all of ${queue}`),
      ),
    filters: [['cola', say('Servicio', 'Service'), 'queue', services]],
    // A notifier of version 1.0 does not answer `missing`, during an update.
    before: (page) => missingNotice('missing' in page ? page.missing : []),
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
          buttonForm(
            viewer,
            `/trabajos/${encodeURIComponent(queue)}/${encodeURIComponent(jobId)}/repetir`,
            say('Repetir', 'Retry'),
          ),
      ],
    ],
  };
}

/** Retries the failed jobs of a queue, a thousand at a time. */
async function retryQueue(visit: Visit): Promise<Redirect> {
  const queue = idOf(visit, 'queue');
  await visit.viewer.ops.jobs.retryAll(queue);
  return { redirect: `/trabajos?cola=${encodeURIComponent(queue)}`, done: 'repetido' };
}
