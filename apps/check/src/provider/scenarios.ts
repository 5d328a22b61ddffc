import type { Scenario } from '../scenario';
import { ALLOCATION } from './allocation';
import { PRIVACY_AND_LOAD } from './privacy-and-load';
import { REFUSALS } from './refusals';
import { REPETITION } from './repetition';
import type { World } from './world';

/** All that is tried with a provider's key. */
export const PROVIDER_SCENARIOS: Array<Scenario<World>> = [
  ...ALLOCATION,
  ...REPETITION,
  ...REFUSALS,
  ...PRIVACY_AND_LOAD,
].sort((one, other) => one.id.localeCompare(other.id));
