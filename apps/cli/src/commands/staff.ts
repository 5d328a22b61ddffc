import { Option } from 'commander';
import { SCOPES_OF_KIND, type OpsScope } from '@fiado/contracts/caller';
import { id } from '../arguments';
import type { CliCommand, PageOptions } from '../command';
import { printChange, printSecret, tableOf } from '../output';

const COLUMNS = [
  'staffId',
  'email',
  'name',
  'role',
  'passkeys',
  'lastSignInAt',
  'disabledAt',
] as const;

const ROOT_COLUMNS = ['rootName', 'rootId', 'kind', 'name', 'role', 'id'] as const;

interface NewStaff {
  name?: string;
  role: OpsScope;
}

/** fiado staff invite | list | roots | set-role | disable. */
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
      printSecret(out, await ops.staff.invite({ email, name, role }), 'approver'),
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

  staff
    .command('roots')
    .description('list people and keys by the person that they count as, where two are needed')
    .example('fiado staff roots')
    .work(async ({ ops, out }) => {
      const roots = await ops.staff.roots();
      out.result(roots, () => tableOf(roots.members, ROOT_COLUMNS));
      if (roots.warning !== null) out.note(`\n${rootsWarning(roots.warning)}`);
    });

  addChanges(staff);
}

/** What `warning` of listStaffRoots means, and what to do. */
export function rootsWarning(warning: string): string {
  return warning === 'too-few-roots'
    ? 'WARNING: fewer than two people are known to be two, so one human may count as two ' +
        '(docs/operations/ops-keys.md, People). See: fiado staff roots'
    : 'WARNING: people or keys have no root: nobody can approve what they ask for, nor can they approve. ' +
        'Invite these people again, and replace these keys. See: fiado staff roots';
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
