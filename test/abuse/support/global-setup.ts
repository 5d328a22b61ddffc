import { loadSourcesAs, type ProjectConfig } from '../../support/jest/load-sources';
import { ALLOWED_PER_SECOND } from './limits';

/** Heap limit of each service in megabytes. A request that needs more ends the process. */
const HEAP_MB = 256;

/** Starts the system that the attacks share, with the rate limit on and a small heap. */
export default async function setUpAttacks(_: unknown, config: ProjectConfig): Promise<void> {
  await loadSourcesAs(config);
  const { startSharedSystem } =
    require('../../support/shared-system') as typeof import('../../support/shared-system');
  await startSharedSystem({
    RATE_LIMIT_PER_SECOND: String(ALLOWED_PER_SECOND),
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
  });
}
