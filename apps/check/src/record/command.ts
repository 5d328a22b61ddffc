import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import {
  addressOf,
  knownIds,
  UsageError,
  withReports,
  type Finish,
  type ReportOptions,
} from '../command-options';
import { reportOf } from '../report/report';
import { runScenarios } from '../run-scenarios';
import { recordNotices } from './record-notices';
import { RECORD_SCENARIOS } from './scenarios';

const DEFAULT_SECONDS = 60;

interface RecordOptions extends ReportOptions {
  listen: string;
  forward: string;
  for: string;
}

/** fiado-check record */
export function addRecord(
  program: Command,
  finish: Finish,
  stderr: { write(text: string): unknown },
): void {
  withReports(program.command('record'))
    .description("stands between a provider's own system and a sandbox, and judges its notices")
    .requiredOption('--listen <port>', 'port that the provider sends its notices to')
    .requiredOption('--forward <url>', 'address of the sandbox')
    .option('--for <seconds>', 'how long', String(DEFAULT_SECONDS))
    .action(async (options: RecordOptions) => {
      const forward = addressOf('--forward', options.forward).replace(/\/+$/, '');
      for (const name of ['listen', 'for'] as const) {
        if (!/^\d{1,5}$/.test(options[name])) throw new UsageError(`--${name} must be a number`);
      }
      const only = knownIds(RECORD_SCENARIOS, options);
      const recording = await recordNotices(Number(options.listen), forward);
      stderr.write(`send your notices to port ${recording.port} in place of ${forward}\n`);
      await pause(Number(options.for) * 1_000);
      recording.close();
      const date = new Date().toISOString();
      const results = await runScenarios(RECORD_SCENARIOS, recording.notices, only);
      await finish(reportOf({ kit: 'record', target: forward, date, results }), options);
    });
}
