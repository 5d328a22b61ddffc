import type { Command } from 'commander';
import { Fiado, type Fetch } from '@fiado/client';
import {
  apiAddressOf,
  judge,
  refuseLive,
  UsageError,
  withReports,
  type Finish,
  type ReportOptions,
} from '../command-options';
import type { Scenario } from '../scenario';
import { ALLOCATION } from './allocation';
import { fileDebts, readDebts, type Debts, sandboxDebts } from './debts';
import { signatureOf } from './post-deposit';
import { PRIVACY_AND_LOAD } from './privacy-and-load';
import { REFUSALS } from './refusals';
import { REPETITION } from './repetition';
import type { World } from './world';

/** All that is tried with a provider's key. */
const PROVIDER_SCENARIOS: Array<Scenario<World>> = [
  ...ALLOCATION,
  ...REPETITION,
  ...REFUSALS,
  ...PRIVACY_AND_LOAD,
].sort((one, other) => one.id.localeCompare(other.id));

const DEFAULT_REFERENCES = 100;
/** A busy sandbox is waited for, and a used-up minute of look-ups. */
const PATIENCE = { maxRetries: 10, deadlineMs: 300_000 };

interface ProviderOptions extends ReportOptions {
  url: string;
  key: string;
  provider: string;
  signingSecret?: string;
  asWholesaler?: string;
  debts?: string;
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
    .option('--signing-secret <secret>', 'secret of the provider, which signs each request')
    .option('--as-wholesaler <key>', 'test key of a wholesaler, which makes the debts')
    .option('--debts <file>', 'CSV of debts to pay: idFactura, numeroReferencia')
    .option('--ops-key <key>', 'ops key of the sandbox, for the reversal')
    .option('--references <count>', 'references of D13', String(DEFAULT_REFERENCES))
    .action(async (options: ProviderOptions) => {
      const {
        url,
        key,
        provider: name,
        signingSecret,
        asWholesaler: wholesalerKey,
        opsKey,
      } = options;
      const baseUrl = apiAddressOf('--url', url);
      for (const one of [key, wholesalerKey, opsKey]) refuseLive(one ?? '');
      if (!/^[1-9]\d{0,5}$/.test(options.references))
        throw new UsageError('--references must be a number');
      const fiado = new Fiado({ apiKey: key, baseUrl, fetch: signing(signingSecret), ...PATIENCE });
      const world = {
        provider: { baseUrl, key, name, signingSecret },
        fiado,
        debts: await debtsOf(options, baseUrl, fiado),
        wholesalerKey,
        opsKey,
        references: Number(options.references),
      };
      const tried = { scenarios: PROVIDER_SCENARIOS, world };
      await judge({ kit: 'provider', target: baseUrl }, tried, { options, finish });
    });
}

async function debtsOf(
  { asWholesaler, debts }: ProviderOptions,
  baseUrl: string,
  fiado: Fiado,
): Promise<Debts> {
  if (debts !== undefined && asWholesaler === undefined) {
    return fileDebts(await readDebts(debts), fiado);
  }
  if (asWholesaler !== undefined && debts === undefined) {
    return sandboxDebts(new Fiado({ apiKey: asWholesaler, baseUrl, ...PATIENCE }));
  }
  throw new UsageError('use --as-wholesaler or --debts');
}

/** A `fetch` that signs requests without a body, as look-ups of a reference are. */
function signing(secret: string | undefined): Fetch | undefined {
  if (secret === undefined) return undefined;
  return (url, init) =>
    fetch(url, {
      ...init,
      headers: { ...init?.headers, 'fiado-signature': signatureOf(secret, '') },
    });
}
