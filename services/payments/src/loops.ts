import { exportLoop } from '@fiado/chassis/exports/make-exports';
import { exportSweepLoop } from '@fiado/chassis/exports/wipe-exports';
import { Loop, loopOf } from '@fiado/chassis/loop';
import type { Context } from './context';
import { DEFAULTS_LOOP, detectDefaults } from './defaults/detect-defaults';
import { noticesLoop } from './notices/send-notices';
import { fillPortfolio, PORTFOLIO_LOOP } from './portfolio/fill-portfolio';

/**
 * How often defaults are detected, first at the start. Whether a debt is overdue follows from its
 * row, so a missed run does no harm.
 */
const DETECT_EVERY_MS = 3_600_000;

/**
 * How often a missing day of the portfolio is looked for. A day is filled ten minutes after its end; a
 * look that finds none reads one row.
 */
const FILL_EVERY_MS = 60_000;

/** The loops of this service. */
export function loops(context: Context): Loop[] {
  return [
    context.depositWorker.loop,
    new Loop(context.log, {
      name: DEFAULTS_LOOP,
      everyMs: DETECT_EVERY_MS,
      round: async () => (await detectDefaults(context)).more,
    }),
    noticesLoop(context),
    loopOf(context, { name: PORTFOLIO_LOOP, everyMs: FILL_EVERY_MS, round: fillPortfolio }),
    exportLoop(context),
    exportSweepLoop(context),
  ];
}
