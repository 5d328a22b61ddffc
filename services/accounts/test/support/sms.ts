import { SMS_PURPOSE, type SealedSms, type SendMessage } from '@fiado/contracts/jobs/send-message';
import type { Accounts } from './accounts';

export interface SentSms {
  template: SendMessage['template'];
  phone: string;
  values: SealedSms['values'];
  wholesalerId: string | undefined;
}

/** The SMS that the service asked for about a user, oldest first, opened. */
export async function smsAbout(accounts: Accounts, userId: string): Promise<SentSms[]> {
  const rows = await accounts.rows<{ data: SendMessage }>(
    `SELECT data FROM outbox WHERE type = 'send-message' AND aggregate_id = $1
      ORDER BY created_at, id`,
    [userId],
  );
  return rows.map(({ data: { template, sealed, wholesalerId } }) => {
    const opened = accounts.context.sealer.open(Buffer.from(sealed, 'base64'), SMS_PURPOSE, userId);
    const { phone, values } = JSON.parse(opened) as SealedSms;
    return { template, phone, values, wholesalerId };
  });
}

/** The code that was sent about a user last. */
export async function lastCode(accounts: Accounts, userId: string): Promise<string> {
  const codes = (await smsAbout(accounts, userId)).filter((sms) => sms.template.endsWith('-code'));
  const last = codes.at(-1);
  if (last === undefined) throw new Error('No code was sent');
  return (last.values as { code: string }).code;
}

/** A code that is not that one. */
export function anotherCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}
