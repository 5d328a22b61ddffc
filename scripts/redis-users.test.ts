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
  ({ name, publishes, jobs }) => ({
    name,
    publishes: publishes.map(({ type }) => type).toSorted(),
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

test('each service publishes and handles the jobs that their contracts name it for', async () => {
  const definitions = await jobDefinitions();
  const sent = await sentJobs();
  type Name = (typeof services)[number]['name'];
  const typesOf = (role: 'producers' | 'queues', name: Name, jobs = definitions) =>
    jobs
      .filter((definition) => definition[role].includes(name))
      .map(({ type }) => type)
      .toSorted();
  for (const { name, publishes, handles } of services) {
    expect([name, publishes]).toEqual([name, typesOf('producers', name, sent)]);
    expect([name, handles]).toEqual([name, typesOf('queues', name)]);
  }
});
