import { Loop } from '@fiado/shared/chassis/loop';
import type { Context } from '../context';
import { DEFAULTS_LOOP, detectDefaults } from '../use-cases/detect-defaults';

/**
 * How often defaults are looked for, the first time at the start. It only nudges: what is overdue
 * follows from the rows, so the next run makes up for one that was missed.
 */
const DETECT_EVERY_MS = 3_600_000;

/** The loops of this service. */
export function loops(context: Context): Loop[] {
  return [
    new Loop({
      name: DEFAULTS_LOOP,
      everyMs: DETECT_EVERY_MS,
      log: context.log,
      round: async () => (await detectDefaults(context)).more,
    }),
  ];
}
