import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import { orderDenied } from '@fiado/contracts/jobs/disputes';
import { oppositionAsked } from '@fiado/contracts/jobs/privacy';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { newId } from '@fiado/contracts/new-id';
import { normalizePhone } from '@fiado/contracts/numbering-plan';
import type { Context } from '../context';
import { countInboundSms } from '../metrics';
import { denialOf, type Word, wordOf } from './words.rules';

/** A message that a store sends. */
interface Inbound {
  /** E.164. */
  number: string;
  text: string;
  /** Twilio's id: it may send one message twice. */
  smsId: string;
  byWhatsapp: boolean;
}

/**
 * Passes the word of a store on to accounts: no reminders, reminders again, or an order that is not its own. The text
 * is not stored, and the phone is passed on as an index. Wake the follower after the commit of a word by WhatsApp.
 * @returns what it was read as
 */
export async function passOnWord(
  { sealer, config }: Pick<Context, 'sealer' | 'config'>,
  tx: Transaction,
  { number, text, smsId, byWhatsapp }: Inbound,
): Promise<Word | 'deny' | 'other'> {
  const word = wordOf(text);
  const denial = denialOf(text);
  const read = word ?? (denial === undefined ? 'other' : 'deny');
  countInboundSms(read);
  // WhatsApp writes Mexican mobiles with the 1 of before 2019.
  const phone = normalizePhone(number, config.PHONE_REGION) ?? number;
  const phoneIndex = sealer.blindIndex(phone, PHONE_PURPOSE).toString('base64');
  const aggregate = { id: newId(), version: 1 };
  if (word !== undefined) {
    const data = { phoneIndex, opposes: word === 'stop', ...(byWhatsapp && { byWhatsapp }) };
    await appendToOutbox(tx, outboxRows(oppositionAsked, aggregate, data));
    if (byWhatsapp && data.opposes) await sendBySms(tx, phoneIndex);
  } else if (denial !== undefined) {
    await appendToOutbox(tx, outboxRows(orderDenied, aggregate, { phoneIndex, smsId, ...denial }));
  }
  return read;
}

/** Messages to a phone that still wait for WhatsApp go by SMS. */
async function sendBySms(tx: Transaction, phoneIndex: string): Promise<void> {
  await query(
    tx,
    `UPDATE messages SET sms_at = now()
      WHERE phone_index = decode($1, 'base64') AND status = 'pending' AND sms_at IS NOT NULL`,
    [phoneIndex],
  );
}
