import { InvalidArgumentError } from 'commander';
import { startOfDateOrMoment, textInFormat } from '@fiado/contracts/request-dates';
import type { Resources } from '@fiado/ops-client/generated/resources';
import { id } from '../arguments';
import type { CliCommand } from '../command';
import { UsageError } from '../errors';
import { printable } from '../output';
import { findCauses, type Entry } from './find-causes';

/** How far around the time it looks, in milliseconds: people name times from memory. */
const AROUND_MS = 30 * 60_000;
/** Entries of a page of the timeline, which the API allows. */
const PAGE = 100;
/** A store with more entries in an hour needs a person to read its timeline. */
const MAX_ENTRIES = 1_000;

interface Options {
  store: string;
  at: string;
  date?: string;
}

/** fiado explain. */
export function addExplainCommand(program: CliCommand): void {
  program
    .command('explain')
    .description('explain why a code did not come: refused, failed, waiting, or never asked for')
    .requiredOption('--store <id>', 'the corner store', id)
    .requiredOption(
      '--at <time>',
      'about when, in the time zone of the lender, such as 10:05',
      time,
    )
    .option('--date <date>', 'on this day instead of today, such as 2026-11-23')
    .example('fiado explain --store 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11 --at 10:05')
    .work(async ({ ops, out }, { store, at, date }: Options) => {
      const { lenderTimeZone } = await ops.cornerStores.get(store);
      const day = date ?? textInFormat(new Date(), 'yyyy-MM-dd', lenderTimeZone);
      const moment = startOfDateOrMoment(`${day}T${at}`, lenderTimeZone);
      if (moment === undefined) throw new UsageError('--at and --date must be a real time and day');
      const [from, to] = [-AROUND_MS, AROUND_MS].map((ms) =>
        new Date(moment.getTime() + ms).toISOString(),
      ) as [string, string];

      const { entries, missing, isComplete } = await readTimeline(ops, store, { from, to });
      const timeOf = (iso: string) => textInFormat(new Date(iso), 'HH:mm:ss', lenderTimeZone);
      const causes = findCauses(entries, timeOf);
      const answer = {
        cornerStoreId: store,
        from,
        to,
        lenderTimeZone,
        causes,
        missing,
        isComplete,
      };
      out.result(answer, () =>
        causes.length === 0
          ? `Nothing was asked for this store from ${timeOf(from)} to ${timeOf(to)} of ${day}: no order, no code, no refused request.`
          : causes
              .map(({ occurredAt, text }) => `${timeOf(occurredAt)}  ${printable(text)}`)
              .join('\n'),
      );
      out.note(`Times are in ${lenderTimeZone}.`);
      if (missing.length > 0) {
        out.note(`Incomplete, because they did not answer: ${missing.join(', ')}.`);
      }
      if (!isComplete) {
        out.note(
          `Only the newest ${MAX_ENTRIES} entries were read; see the rest with: fiado stores timeline ${store}`,
        );
      }
    });
}

/** The newest entries of a time, the services that did not answer, and whether these are all. */
async function readTimeline(
  ops: Resources,
  store: string,
  span: { from: string; to: string },
): Promise<{ entries: Entry[]; missing: string[]; isComplete: boolean }> {
  const entries: Entry[] = [];
  const missing = new Set<string>();
  let isComplete = true;
  for await (const page of ops.cornerStores.timeline(store, { ...span, limit: PAGE }).pages()) {
    entries.push(...page.entries);
    for (const service of page.missing) missing.add(service);
    isComplete = page.nextCursor === null;
    if (entries.length >= MAX_ENTRIES) break;
  }
  return { entries, missing: [...missing], isComplete };
}

function time(text: string): string {
  if (!/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text)) {
    throw new InvalidArgumentError('It must be a time such as 10:05.');
  }
  return text;
}
