import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { accountsService } from '@fiado/accounts/service';
import { notifierService } from '@fiado/notifier/service';
import { paymentsService } from '@fiado/payments/service';
import { jobDefinitions, sentJobs } from '@fiado/contracts/testing/job-definitions';
import { transactionsService } from '@fiado/transactions/service';
import { redisUserFiles } from './redis-users';

/** The jobs of each service, as its code has them. */
const services = [accountsService, transactionsService, paymentsService, notifierService].map(
  ({ name, sendsTo, jobs }) => ({
    name,
    sendsTo: sendsTo.toSorted(),
    // The handlers are made, and none runs.
    handles: jobs({} as never)
      .map(({ definition }) => definition.type)
      .toSorted(),
  }),
);

test('the users of Redis are those of the contracts of the jobs: npm run generate', async () => {
  for (const { path, write } of await redisUserFiles()) {
    const committed = readFileSync(path, 'utf8');
    expect([basename(path), committed]).toEqual([basename(path), write(committed)]);
    // Both hold users: a README without its block would be equal too.
    expect([basename(path), committed]).toEqual([
      basename(path),
      expect.stringMatching(/payments .*~\{.*-notifier\}:\*/),
    ]);
  }
});

test('each service sends to the queues, and handles the jobs, that their contracts name it for', async () => {
  const definitions = await jobDefinitions();
  const sent = await sentJobs();
  for (const { name, sendsTo, handles } of services) {
    const queues = sent
      .filter(({ producers }) => producers.includes(name))
      .flatMap((job) => job.queues.filter((queue) => queue !== name));
    expect([name, sendsTo]).toEqual([name, [...new Set(queues)].toSorted()]);
    const handled = definitions.filter((job) => job.queues.includes(name)).map(({ type }) => type);
    expect([name, handles]).toEqual([name, handled.toSorted()]);
  }
});
