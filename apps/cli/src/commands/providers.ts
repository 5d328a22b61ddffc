import type { Command } from 'commander';
import { printNewKey } from '../print-answer';
import type { OpenSession } from '../session';

/** fiado providers create. */
export function addProviderCommands(program: Command, open: OpenSession): void {
  const providers = program.command('providers').description('payment providers');

  providers
    .command('create')
    .description('create a payment provider and its API key')
    .requiredOption('--name <name>', 'the name that it sends in its deposits')
    .option('--time-zone <zone>', 'time zone of its payment dates (default America/Mexico_City)')
    .addHelpText('after', '\nExample:\n  fiado providers create --name pagos-mx')
    .action(async (body: { name: string; timeZone?: string }, command: Command) => {
      await printNewKey(await open(command), '/payment-providers', body);
    });
}
