import type { TestProject } from 'vitest/node';
import { provideSystem } from '../../support/shared-system';
import { ALLOWED_PER_SECOND } from './limits';

/** Heap limit of each service in megabytes. A request that needs more ends the process. */
const HEAP_MB = 256;

/** Starts the system that the attacks share, with the rate limit on and a small heap. */
export default function abusedSystem(project: TestProject): Promise<() => Promise<void>> {
  return provideSystem(project, {
    RATE_LIMIT_PER_SECOND: String(ALLOWED_PER_SECOND),
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
  });
}
