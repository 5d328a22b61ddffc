import { defineConfig } from 'vitest/config';
import { E2E, INTEGRATION, LONG, project } from './vitest.config.mts';

const CONTAINERS = 'test/containers/global-setup.ts';

/** The suites that need Docker. They stand apart, so that `npx vitest run <file>` works without it. */
export default defineConfig({
  test: {
    projects: [
      // Integration and end-to-end tests once more, on Postgres and Redis in containers.
      project('containers-integration', {
        include: [INTEGRATION],
        exclude: [
          // The embedded database itself, or starts and stops together with it.
          'libs/embedded-postgres/**',
          'apps/supervisor/**',
          // They use neither database nor queue.
          'services/gateway/**',
        ],
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
