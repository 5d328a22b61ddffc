import type { Command } from 'commander';
import type { BodyOf } from '../operations';
import { printNewKey } from '../print-new-key';
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
    .action(async (body: BodyOf<'createPaymentProvider'>, command: Command) => {
      const { ops, out } = await open(command);
      printNewKey(out, await ops.paymentProviders.create(body));
    });
}
