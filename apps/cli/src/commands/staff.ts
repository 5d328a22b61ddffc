import { Option, type Command } from 'commander';
import { SCOPES_OF_KIND } from '@fiado/contracts/scopes';
import type { OpsScope } from '@fiado/contracts/scopes';
import { id } from '../arguments';
import { printPages, withPages, type PageOptions } from '../pages';
import { printChange } from '../print-change';
import { printSecret } from '../print-secret';
import type { OpenSession } from '../session';

const COLUMNS = [
  'staffId',
  'email',
  'name',
  'role',
  'passkeys',
  'lastSignInAt',
  'disabledAt',
] as const;

interface NewStaff {
  name?: string;
  role: OpsScope;
}

/** fiado staff invite | list | set-role | disable. */
export function addStaffCommands(program: Command, open: OpenSession): void {
  const staff = program.command('staff').description('people who use the console');

  staff
    .command('invite')
    .description('print a link, valid once and for 24 hours, with which a person makes a passkey')
    .argument('<email>')
    .addOption(roleOption())
    .option('--name <name>', 'the name of the person (default: the e-mail address)')
    .addHelpText(
      'after',
      '\nExample:\n  fiado staff invite ana@lender.example --name "Ana Torres" --role admin',
    )
    .action(async (email: string, { name = email, role }: NewStaff, command: Command) => {
      const { ops, out } = await open(command);
      printSecret(out, await ops.staff.invite({ email, name, role }));
    });

  withPages(staff.command('list'))
    .description('list the staff, newest first')
    .addHelpText('after', '\nExample:\n  fiado staff list --all')
    .action(async ({ cursor, all }: PageOptions, command: Command) => {
      const { ops, out } = await open(command);
      const list = ops.staff.list({ cursor });
      await printPages(out, list, { rowsOf: (page) => page.staff, columns: COLUMNS }, all);
    });

  addChanges(staff, open);
}

function addChanges(staff: Command, open: OpenSession): void {
  staff
    .command('set-role')
    .description('give a person another role; ends its sessions')
    .argument('<staffId>', '', id)
    .addOption(roleOption())
    .addHelpText(
      'after',
      '\nExample:\n  fiado staff set-role 7e0d9c0a-94a2-4e6f-8d31-3f0f5f0d6b21 --role approver',
    )
    .action(async (staffId: string, { role }: NewStaff, command: Command) => {
      const { ops, out } = await open(command);
      printChange(out, await ops.staff.changeRole(staffId, { role }));
    });

  staff
    .command('disable')
    .description('end the access of a person; takes effect within seconds')
    .argument('<staffId>', '', id)
    .addHelpText('after', '\nExample:\n  fiado staff disable 7e0d9c0a-94a2-4e6f-8d31-3f0f5f0d6b21')
    .action(async (staffId: string, _options: object, command: Command) => {
      const { ops, out } = await open(command);
      out.record(await ops.staff.disable(staffId));
    });
}

function roleOption(): Option {
  return new Option('--role <role>', 'role; each includes the previous ones')
    .choices(SCOPES_OF_KIND.ops)
    .makeOptionMandatory();
}
