import { loadSourcesAs, type ProjectConfig } from '../jest/load-sources';

/** Global set-up of the end-to-end tests that share a system. */
export default async function setUpSystem(_: unknown, config: ProjectConfig): Promise<void> {
  await loadSourcesAs(config);
  const { startSharedSystem } = require('../shared-system') as typeof import('../shared-system');
  await startSharedSystem();
}
