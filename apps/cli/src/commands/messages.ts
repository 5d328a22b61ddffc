import { resendUnknownMessages } from '@fiado/ops-client/resend-unknown-messages';
import type { CliCommand } from '../command';
import { nounOf } from '../operation-commands';
import { confirm } from '../output';

interface ResendOptions {
  unknown: true;
  since: string;
  dryRun?: boolean;
  yes?: boolean;
}

const RESEND_HELP = `
Nobody knows whether an unknown message was sent: the SMS provider did not answer, or answered 5xx. So a store may get
the same SMS twice, and the lender pays for both. Only messages are sent whose purpose is still alive: a code that is
still waited for, the word of an order on hold, a debt that is not paid. Expired messages are not sent, and none that
was followed by a newer one.

Examples:
  fiado messages resend --unknown --since 2026-09-21T16:00:00Z --dry-run
  fiado messages resend --unknown --since 2026-09-21T16:00:00Z`;

/** fiado messages resend. */
export function addResendCommand(program: CliCommand): void {
  nounOf(program, 'messages')
    .command('resend')
    .description('after an outage of the SMS provider: send unknown messages again')
    .requiredOption('--unknown', 'messages of which nobody knows whether they were sent')
    .requiredOption('--since <time>', 'only messages made since then, such as 2026-09-21T16:00:00Z')
    .option('--dry-run', 'count them, and send nothing')
    .option('--yes', 'do not ask')
    .addHelpText('after', RESEND_HELP)
    .work(async ({ ops, out, io }, { since, dryRun = false, yes = false }: ResendOptions) => {
      const counted = await resendUnknownMessages(ops, since, true);
      if (dryRun) return out.record(counted);
      if (!yes) {
        await confirm(io, `Send ${counted.resent} of ${counted.unknown} unknown messages again?`);
      }
      out.record(await resendUnknownMessages(ops, since, false));
    });
}
