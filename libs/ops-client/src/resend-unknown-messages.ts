import type { Resources } from './generated/resources';
import type { AnswerOf } from './operations';

/**
 * Sends unknown messages again, page by page: messages that may or may not have been sent.
 * @param since the earliest creation, as the API takes it
 * @param dryRun counts them, and sends nothing
 * @returns the sums of all pages
 */
export async function resendUnknownMessages(
  { messages }: Pick<Resources, 'messages'>,
  since: string,
  dryRun: boolean,
): Promise<{ unknown: number; resent: number }> {
  const sum = { unknown: 0, resent: 0 };
  let cursor: string | null = null;
  do {
    const page: AnswerOf<'resendMessages'> = await messages.resend({
      status: 'unknown',
      since,
      dryRun,
      ...(cursor !== null && { cursor }),
    });
    sum.unknown += page.unknown;
    sum.resent += page.resent;
    cursor = page.nextCursor;
  } while (cursor !== null);
  return sum;
}
