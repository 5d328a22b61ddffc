import type { ChaosDatabase } from './database';
import { grouped } from './grouped';
import type { FormPost } from '@fiado/chassis/testing/twilio-stand-in';

interface MessageRow {
  id: string;
  status: string;
  status_reason: string | null;
  provider_sid: string | null;
}

/** Allowed final statuses of a message. */
const FINAL = new Set(['sent', 'delivered', 'failed', 'unknown', 'expired']);
/** Allowed final statuses of a message whose SMS was sent. */
const PERHAPS_SENT = new Set(['sent', 'delivered', 'unknown']);

/** At most one SMS for each intent, and each intent's end is true: Twilio's log decides. */
export async function checkSms(
  database: ChaosDatabase,
  log: readonly FormPost[],
): Promise<string[]> {
  const messages = await database.query<MessageRow>(
    'SELECT id, status, status_reason, provider_sid FROM notifier.messages',
  );
  const accepted = grouped(
    log.filter((entry) => entry.accepted),
    ({ messageId }) => messageId,
  );
  const known = new Set(messages.map(({ id }) => id));
  return [
    ...[...accepted]
      .filter(([id, entries]) => entries.length > 1 || !known.has(id))
      .map(([id, { length }]) =>
        known.has(id)
          ? `the message ${id} went out ${length} times`
          : `no intent had the SMS ${id}`,
      ),
    ...messages.flatMap((message) => problemsOf(message, accepted.get(message.id) ?? [])),
  ];
}

function problemsOf({ id, ...message }: MessageRow, accepted: FormPost[]): string[] {
  const { status, status_reason: reason, provider_sid: sid } = message;
  const problems: string[] = [];
  if (!FINAL.has(status)) problems.push(`the message ${id} ended as ${status}`);
  if (!['sent', 'delivered'].includes(status) && reason === null) {
    problems.push(`the message ${id} is ${status} without a reason`);
  }
  if (accepted.length > 0 && !PERHAPS_SENT.has(status)) {
    problems.push(`the message ${id} went out and is ${status}`);
  }
  if (status === 'sent' && accepted[0]?.sid !== sid) {
    problems.push(`the message ${id} is sent as ${sid}, but Twilio sent ${accepted[0]?.sid}`);
  }
  return problems;
}
