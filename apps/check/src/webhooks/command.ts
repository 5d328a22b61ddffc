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
import { WEBHOOK_SCENARIOS } from './scenarios';

interface WebhooksOptions extends ReportOptions {
  secret: string;
  stateUrl?: string;
}

/** fiado-check webhooks */
export function addWebhooks(program: Command, finish: Finish): void {
  withReports(program.command('webhooks'))
    .description('plays Fiado: sends webhooks of all kinds to a receiver')
    .argument('<url>', 'address of the receiver')
    .requiredOption('--secret <secret>', 'its signing secret, whsec_…')
    .option('--state-url <url>', 'shows the state of the receiver, so that a second effect is seen')
    .action(async (url: string, options: WebhooksOptions) => {
      const { secret, stateUrl } = options;
      const target = addressOf('<url>', url);
      if (stateUrl !== undefined) addressOf('--state-url', stateUrl);
      if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(secret)) {
        throw new UsageError('--secret must be whsec_ and base64');
      }
      const receiver = { url, secret, stateUrl };
      const date = new Date().toISOString();
      const results = await runScenarios(
        WEBHOOK_SCENARIOS,
        receiver,
        knownIds(WEBHOOK_SCENARIOS, options),
      );
      await finish(reportOf({ kit: 'webhooks', target, date, results }), options);
    });
}
