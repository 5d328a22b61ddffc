import { Option } from 'commander';
import { SCOPES_OF_KIND, type OpsScope } from '@fiado/contracts/caller';
import { id } from '../arguments';
import type { CliCommand, PageOptions } from '../command';
import { printChange, printSecret } from '../output';

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
export function addStaffCommands(program: CliCommand): void {
  const staff = program.command('staff').description('people who use the console');

  staff
    .command('invite')
    .description('print a link, valid once and for 24 hours, with which a person makes a passkey')
    .argument('<email>')
    .addOption(roleOption())
    .option('--name <name>', 'the name of the person (default: the e-mail address)')
    .example('fiado staff invite ana@lender.example --name "Ana Torres" --role admin')
    .work(async ({ ops, out }, email: string, { name = email, role }: NewStaff) =>
      printSecret(out, await ops.staff.invite({ email, name, role })),
    );

  staff
    .list('list')
    .description('list the staff, newest first')
    .example('fiado staff list --all')
    .pages(
      ({ ops }, query: PageOptions) => ops.staff.list(query),
      (page) => page.staff,
      COLUMNS,
    );

  addChanges(staff);
}

function addChanges(staff: CliCommand): void {
  staff
    .command('set-role')
    .description('give a person another role; ends its sessions')
    .argument('<staffId>', '', id)
    .addOption(roleOption())
    .example('fiado staff set-role 7e0d9c0a-94a2-4e6f-8d31-3f0f5f0d6b21 --role approver')
    .work(async ({ ops, out }, staffId: string, { role }: NewStaff) =>
      printChange(out, await ops.staff.changeRole(staffId, { role })),
    );

  staff
    .command('disable')
    .description('end the access of a person; takes effect within seconds')
    .argument('<staffId>', '', id)
    .example('fiado staff disable 7e0d9c0a-94a2-4e6f-8d31-3f0f5f0d6b21')
    .work(async ({ ops, out }, staffId: string) => out.record(await ops.staff.disable(staffId)));
}

function roleOption(): Option {
  return new Option('--role <role>', 'role; each includes the previous ones')
    .choices(SCOPES_OF_KIND.ops)
    .makeOptionMandatory();
}
