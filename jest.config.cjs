/** ESM-only packages that jest must compile: it cannot require them as Node does. */
const esmPackages = ['jose'];

const OVERSELL = 'services/transactions/test/oversell';

const swc = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'commonjs' },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, useDefineForClassFields: false },
  },
};

/** The sources are tested as they stand: nothing needs to be built for unit and integration tests. */
const common = {
  rootDir: __dirname,
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['fiado-src', 'node', 'node-addons'] },
  transform: { '^.+\\.[tj]s$': ['@swc/jest', swc] },
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages.join('|')})/)`],
  modulePathIgnorePatterns: ['/dist/'],
};

module.exports = {
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/{libs,services,apps}/*/src/**/*.test.ts',
        '<rootDir>/scripts/*.test.ts',
        '<rootDir>/test/chaos/**/*.test.ts',
      ],
    },
    {
      ...common,
      displayName: 'integration',
      testMatch: ['<rootDir>/{libs,services,apps}/*/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', OVERSELL],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
    // An integration suite that fills the machine by itself: beside others it would be answered 503.
    {
      ...common,
      displayName: 'load',
      testMatch: [`<rootDir>/${OVERSELL}.test.ts`],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
    {
      ...common,
      displayName: 'simulation',
      testMatch: ['<rootDir>/test/simulation/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
    {
      ...common,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
    },
    {
      ...common,
      displayName: 'contract',
      testMatch: ['<rootDir>/test/contract/**/*.test.ts'],
    },
    // The integration and end-to-end suites once more, on Postgres and Redis in containers.
    {
      ...common,
      displayName: 'containers',
      testMatch: [
        '<rootDir>/{libs,services,apps}/*/test/**/*.test.ts',
        '<rootDir>/test/e2e/**/*.test.ts',
      ],
      testPathIgnorePatterns: [
        '/node_modules/',
        // Of the embedded database itself, or of starts and stops together with it.
        'libs/embedded-postgres/',
        'apps/supervisor/',
        'test/e2e/start-and-stop',
        // They bring the database that they break, look into or restart.
        'test/e2e/(chaos|outage|leaks|rolling-restart)',
        'test/e2e/support/',
        // The slowest, and nothing in them depends on which Postgres it is.
        'test/e2e/(deposits|month)',
        // Neither database nor queue.
        'services/gateway/',
      ],
      globalSetup: '<rootDir>/test/containers/global-setup.ts',
      globalTeardown: '<rootDir>/test/containers/global-teardown.ts',
    },
    {
      ...common,
      displayName: 'compose',
      testMatch: ['<rootDir>/test/compose/**/*.test.ts'],
    },
  ],
  testTimeout: 30_000,
};
