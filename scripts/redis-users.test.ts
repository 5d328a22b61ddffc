import { executeChange } from '@fiado/contracts/jobs/changes';
import { applyDeposit } from '@fiado/contracts/jobs/debts';
import { issueInvoice } from '@fiado/contracts/jobs/issue-invoice';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { accountsService } from '@fiado/accounts/service';
import { notifierService } from '@fiado/notifier/service';
import { paymentsService } from '@fiado/payments/service';
import { jobDefinitions } from '@fiado/contracts/testing/job-definitions';
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

/** Jobs that processes of 1.0 send to themselves. They are understood, and nothing sends them any more. */
const SENT_BY_1_0 = new Set([applyDeposit, executeChange, issueInvoice].map(({ type }) => type));

test('each service publishes and handles the jobs that their contracts name it for', async () => {
  const definitions = await jobDefinitions();
  type Name = (typeof services)[number]['name'];
  const typesOf = (role: 'producers' | 'queues', name: Name, sent = definitions) =>
    sent
      .filter((definition) => definition[role].includes(name))
      .map(({ type }) => type)
      .toSorted();
  for (const { name, publishes, handles } of services) {
    const sent = definitions.filter(({ type }) => !SENT_BY_1_0.has(type));
    expect([name, publishes]).toEqual([name, typesOf('producers', name, sent)]);
    expect([name, handles]).toEqual([name, typesOf('queues', name)]);
  }
});
