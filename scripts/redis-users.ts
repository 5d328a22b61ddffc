import { resolve } from 'node:path';
import { SERVICES, type Service } from '@fiado/contracts/process-names';
import { jobDefinitions } from '@fiado/contracts/testing/job-definitions';

/** It lists and retries the jobs of all queues for ops. */
const ADMIN: Service = 'notifier';

/** BullMQ's commands, and INFO for the version and the eviction policy; none that reads all keys. */
const COMMANDS = '+@all -@dangerous -scan -randomkey +info';

/** What redis_exporter reads. */
const STATISTICS =
  '+ping +info +client|setname +latency|latest +latency|histogram +slowlog|len +slowlog|get';

const HEADER = `\
# Written by \`npm run generate\` from libs/shared/contracts/src/jobs. Do not edit it.
#
# The users of Redis. \`settings\` inserts the hashes of their passwords and drops these lines. Each service
# may access the queues that it consumes or adds jobs to. The ${ADMIN} lists and retries the jobs of all
# queues. A signature in each job names its sender. The health check may only ping, and the metrics exporter
# may only read statistics and the slow log; neither has a password.
`;

/** The committed files and where they hold what is generated. */
export interface GeneratedFile {
  path: string;
  /** The whole text with the generated part replaced. */
  write: (text: string) => string;
}

/** docker/redis-users.acl, and the commands in the README of the Helm chart. */
export async function redisUserFiles(): Promise<GeneratedFile[]> {
  const rules = await rulesOfServices();
  const file = [
    'user default on #{REDIS_PASSWORD} ~* &* +@all',
    'user health on nopass resetkeys resetchannels -@all +ping',
    `user metrics on nopass resetkeys resetchannels -@all ${STATISTICS}`,
    ...rules.map(
      ({ service, keys }) =>
        `user ${service} on #{${service.toUpperCase()}_REDIS_PASSWORD} ${keysIn('{QUEUE_PREFIX}', keys)} ${COMMANDS}`,
    ),
  ];
  const commands = rules.map(
    ({ service, keys }) =>
      `ACL SETUSER ${service} reset on '>PASSWORD' ${keysIn('fiado', keys)} ${COMMANDS}`,
  );
  return [
    { path: fromRoot('docker/redis-users.acl'), write: () => `${HEADER}${file.join('\n')}\n` },
    {
      path: fromRoot('ops/helm/fiado/README.md'),
      write: (text) =>
        text.replace(
          /(```redis\n)[^`]*(```)/,
          (_all, begin, end) => `${begin}${commands.join('\n')}\n${end}`,
        ),
    },
  ];
}

/** The queues of each service: its own, and those of the jobs that it may send. */
async function rulesOfServices(): Promise<{ service: Service; keys: Service[] }[]> {
  const definitions = await jobDefinitions();
  return SERVICES.map((service) => {
    const sent = definitions
      .filter(({ producers }) => producers.includes(service))
      .flatMap(({ queues }) => queues);
    const keys = SERVICES.filter(
      (queue) => service === ADMIN || queue === service || sent.includes(queue),
    );
    return { service, keys };
  });
}

function keysIn(prefix: string, queues: Service[]): string {
  return queues.map((queue) => `~{${prefix}-${queue}}:*`).join(' ');
}

/** This file runs from scripts/ in tests and from scripts/dist/ when compiled. */
function fromRoot(path: string): string {
  return resolve(__dirname, __dirname.endsWith('dist') ? '../..' : '..', path);
}
