import { defineConfig } from 'vitest/config';
import { E2E, LONG, project } from './vitest.config.mts';

const CONTAINERS = 'test/containers/global-setup.ts';

/** The suites that need Docker. They stand apart, so that `npx vitest run <file>` works without it. */
export default defineConfig({
  test: {
    projects: [
      // What uses the queues most, and all of the system, once more on Postgres and Redis in containers.
      // The embedded Postgres is of the same version, so the other tests would repeat `npm test`.
      project('containers-integration', {
        include: ['{libs/shared,services/notifier,services/transactions}/test/**/*.test.ts'],
        globalSetup: [CONTAINERS],
        group: 0,
        workers: 3,
      }),
      project('containers-e2e', {
        include: E2E,
        exclude: [
          'test/e2e/start-and-stop.test.ts',
          // The gateway counts requests in its memory.
          'test/e2e/check-rate-limit.test.ts',
          // The statements of an order and the sign-in at an identity provider are the same here.
          'test/e2e/cost-of-an-order.test.ts',
          'test/e2e/identity-provider.test.ts',
          // Bodies are refused before they reach database or queue.
          'test/contract/bodies.test.ts',
          'test/contract/fuzz.test.ts',
          'test/contract/null-fields.test.ts',
          LONG,
        ],
        globalSetup: [CONTAINERS, 'test/support/shared-system.ts'],
        group: 1,
        workers: 1,
      }),
      project('compose', { include: ['test/compose/*.test.ts'], group: 2, workers: 1 }),
    ],
  },
});
