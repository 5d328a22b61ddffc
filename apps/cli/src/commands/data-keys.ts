import { InvalidArgumentError, type Command } from 'commander';
import type { OpenSession } from '../session';

const COLUMNS = ['service', 'heldNumber', 'sealingNumber', 'oldRows'] as const;

/** fiado keys status | rotate | retire: the keys that encrypt personal data. */
export function addDataKeyCommands(keys: Command, open: OpenSession): void {
  keys
    .command('status')
    .description('show the keys that encrypt personal data, and how far each service is')
    .addHelpText('after', '\nExample:\n  fiado keys status')
    .action(async (_options: object, command: Command) => {
      const { ops, out } = await open(command);
      const shown = await ops.dataKeys.show();
      out.result(shown, () =>
        [
          ...shown.dataKeys.map(
            ({ dataKeyNumber, createdAt, sealingFrom }) =>
              `key ${dataKeyNumber}, made ${createdAt}, ${sealingFrom === null ? 'not in use yet' : `in use since ${sealingFrom}`}`,
          ),
          ...shown.sealingServices.map((service) =>
            COLUMNS.map((column) => `${column} ${service[column]}`).join('  '),
          ),
          ...shown.missing.map((service) => `${service} does not answer`),
        ].join('\n'),
      );
    });

  keys
    .command('rotate')
    .description('make a new key for personal data; it comes into use once every process has it')
    .addHelpText('after', '\nExample:\n  fiado keys rotate')
    .action(async (_options: object, command: Command) => {
      const { ops, out } = await open(command);
      const made = await ops.dataKeys.rotate();
      out.result(
        made,
        () => `Key ${made.dataKeyNumber} is made; fiado keys status shows its progress`,
      );
    });

  keys
    .command('retire')
    .description('delete an old key for personal data, which nothing needs any more')
    .argument('<number>', 'its number', wholeNumber)
    .addHelpText('after', '\nExample:\n  fiado keys retire 0')
    .action(async (dataKeyNumber: number, _options: object, command: Command) => {
      const { ops, out } = await open(command);
      await ops.dataKeys.retire({ dataKeyNumber });
      out.result({ dataKeyNumber, retired: true }, () => `Key ${dataKeyNumber} is deleted`);
    });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Give the number of a key.');
  return Number(text);
}
