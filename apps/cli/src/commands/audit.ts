import type { Command } from 'commander';
import { id } from '../arguments';
import { CommandFailed } from '../errors';
import { printPages, withPages, type PageOptions } from '../pages';
import type { OpenSession } from '../session';
import { readAnchors } from '../verify-audit/read-anchors';
import { verifyAuditChain } from '../verify-audit/verify-audit-chain';

const COLUMNS = [
  'occurredAt',
  'actorKind',
  'actorId',
  'actorName',
  'action',
  'objectId',
  'details',
] as const;

interface Options extends PageOptions {
  actor?: string;
  action?: string;
  object?: string;
  from?: string;
  to?: string;
}

/** fiado audit list | verify. */
export function addAuditCommands(program: Command, open: OpenSession): void {
  const audit = program.command('audit').description('read and check the audit log');
  addList(audit, open);
  addVerify(audit, open);
}

function addList(audit: Command, open: OpenSession): void {
  withPages(audit.command('list', { isDefault: true }))
    .description('list audit entries, newest first')
    .option('--actor <id>', 'only what this key or party did')
    .option('--action <action>', 'only this action, such as corner-store.approved')
    .option('--object <id>', 'only what was done to this object', id)
    .option('--from <time>', 'from this day or time on')
    .option('--to <time>', 'before this day or time')
    .addHelpText(
      'after',
      '\nExample:\n  fiado audit --action corner-store.approved --from 2026-11-22',
    )
    .action(async ({ actor, action, object, from, to, cursor, all }: Options, command: Command) => {
      const { ops, out } = await open(command);
      const list = ops.auditEntries.list({ actor, action, objectId: object, from, to, cursor });
      await printPages(out, list, { rowsOf: (page) => page.entries, columns: COLUMNS }, all);
    });
}

function addVerify(audit: Command, open: OpenSession): void {
  audit
    .command('verify')
    .description('check the chain of the audit log; names the first break')
    .option(
      '--anchors <file>',
      'compare with copies of the daily anchors: their lines in the log; - is stdin',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  fiado audit verify\n  fiado audit verify --anchors anchors.log',
    )
    .action(async ({ anchors: file }: { anchors?: string }, command: Command) => {
      const { ops, out, io } = await open(command);
      const kept = file === undefined ? [] : await readAnchors(file, io);
      const { links, anchors, broken } = await verifyAuditChain(ops, kept);
      if (broken !== undefined) {
        const { kind, position, auditEntryId, description } = broken;
        out.result(broken, () => `${kind} at ${position ?? auditEntryId}: ${description}`);
        throw new CommandFailed('the audit chain is broken');
      }
      const agreed = file === undefined ? '' : `, and agrees with ${anchors} kept anchors`;
      out.result({ links, anchors }, () => `The chain of ${links} entries holds${agreed}`);
    });
}
