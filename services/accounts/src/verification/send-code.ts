import type { Transaction } from '@fiado/chassis/db/database';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import type { Context } from '../context';
import type { PhoneOwner } from './unknown-numbers';

interface SentCode {
  /** E.164. */
  phone: string;
  phoneOwner: PhoneOwner;
  code: string;
  wholesalerId: string;
  userId: string;
  verificationId: string;
  expiresAt: Date;
}

/** Sends the code of a verification to its phone, unless that is the phone of a blocked person. */
export async function sendCode(
  { sealer }: Pick<Context, 'sealer'>,
  tx: Transaction,
  { phone, phoneOwner, code, userId, ...sms }: SentCode,
): Promise<void> {
  if (phoneOwner === 'blocked') return;
  const values = { code };
  await appendToOutbox(
    tx,
    smsRows(sealer, { ...sms, template: 'verification-code', phone, values, subjectId: userId }),
  );
}
