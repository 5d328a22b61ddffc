import { Fiado } from '@fiado/client';
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
import { PROVIDER_SCENARIOS } from './scenarios';

const DEFAULT_REFERENCES = 100;

interface ProviderOptions extends ReportOptions {
  url: string;
  key: string;
  provider: string;
  asWholesaler: string;
  opsKey?: string;
  references: string;
}

/** fiado-check provider */
export function addProvider(program: Command, finish: Finish): void {
  withReports(program.command('provider'))
    .description(
      'plays a payment provider: notifies deposits in every way, and looks at what is paid',
    )
    .requiredOption('--url <url>', 'address of the sandbox')
    .requiredOption('--key <key>', 'test key of the payment provider')
    .requiredOption('--provider <name>', 'name of the payment provider')
    .requiredOption('--as-wholesaler <key>', 'test key of a wholesaler, which makes the debts')
    .option('--ops-key <key>', 'ops key of the sandbox, for the reversal')
    .option('--references <count>', 'references of D13', String(DEFAULT_REFERENCES))
    .action(async (options: ProviderOptions) => {
      const { url, key, provider: name, asWholesaler: wholesalerKey, opsKey } = options;
      const baseUrl = addressOf('--url', url).replace(/\/+$/, '').replace(/\/v1$/, '');
      for (const one of [key, wholesalerKey, opsKey ?? '']) refuseLive(one);
      if (!/^[1-9]\d{0,5}$/.test(options.references))
        throw new UsageError('--references must be a number');
      const world = {
        provider: { baseUrl, key, name },
        fiado: new Fiado({ apiKey: wholesalerKey, baseUrl, maxRetries: 10 }),
        wholesalerKey,
        opsKey,
        references: Number(options.references),
      };
      const date = new Date().toISOString();
      const results = await runScenarios(
        PROVIDER_SCENARIOS,
        world,
        knownIds(PROVIDER_SCENARIOS, options),
      );
      await finish(reportOf({ kit: 'provider', target: baseUrl, date, results }), options);
    });
}

/** The kit makes orders and deposits, which production must never see. */
function refuseLive(key: string): void {
  if (key.startsWith('fiado_live_'))
    throw new UsageError('a fiado_live_ key is refused: use a sandbox');
}
