import { loadSourcesAs, type ProjectConfig } from '../jest/load-sources';

/** Global set-up of the projects that need a PostgreSQL. */
export default async function setUpDatabase(_: unknown, config: ProjectConfig): Promise<void> {
  await loadSourcesAs(config);
  const { startTestDatabase } = require('../test-database') as typeof import('../test-database');
  await startTestDatabase();
}
