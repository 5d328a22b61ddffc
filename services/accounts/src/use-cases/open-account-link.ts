import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { hasSmsBudget } from '@fiado/chassis/clients/notifier';
import type { AccountLinkState, OpenAccountLinkQuestion } from '@fiado/contracts/account-link';
import { AppError } from '@fiado/contracts/errors';
import type { LinkCodeState } from '@fiado/contracts/links';
import { maskPhone } from '@fiado/contracts/phone';
import { codeOf, newCodeSaltFor } from '@fiado/chassis/verification/code';
import { CODE_LIFE_MS, MAX_SENDS, repeatsCode } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { findAccountLink, storeSentCode, type AccountLink } from '../db/account-links.repository';
import { hashOfToken } from '../domain/secret-token';
import { PURPOSE } from '../domain/sealing-purposes';

/**
 * The state of an account link. Sends the code if a button was pressed.
 * @throws AppError TOO_MANY_ATTEMPTS after five messages, or when the SMS would exceed a budget
 */
export async function openAccountLink(
  context: Context,
  { token, sendCode }: OpenAccountLinkQuestion,
): Promise<AccountLinkState> {
  const tokenHash = hashOfToken(token);
  const link = await findAccountLink(context.db, tokenHash);
  if (link === undefined) return { valid: false };
  const phone = context.sealer.open(link.phone, PURPOSE.phone, link.cornerStoreId);
  const phoneMasked = maskPhone(phone);
  if (sendCode === 'never' || (sendCode === 'if-never-sent' && link.sends > 0)) {
    return { valid: true, phoneMasked, code: codeStateOf(link) };
  }
  // Asked outside the database transaction, which would hold the link's lock meanwhile.
  const { wholesalerId } = link;
  const sms = { template: 'account-code', phone, wholesalerId, lifeMs: CODE_LIFE_MS } as const;
  if (!(await hasSmsBudget(context, sms))) throw new AppError('TOO_MANY_ATTEMPTS');
  await sendAccountCode(context, { tokenHash, phone, first: sendCode === 'if-never-sent' });
  return { valid: true, phoneMasked, code: 'valid' };
}

function codeStateOf({ sends, isUsedUp, isExpired, isToOldPhone }: AccountLink): LinkCodeState {
  if (sends === 0) return 'unsent';
  if (isUsedUp) return 'used-up';
  return isExpired || isToOldPhone ? 'expired' : 'valid';
}

async function sendAccountCode(
  context: Context,
  { tokenHash, phone, first }: { tokenHash: Buffer; phone: string; first: boolean },
): Promise<void> {
  const { db, sealer, config, relay } = context;
  await db.transaction(async (tx) => {
    const link = await findAccountLink(tx, tokenHash, 'FOR UPDATE OF link');
    if (link === undefined || (first && link.sends > 0)) return;
    if (link.sends >= MAX_SENDS) throw new AppError('TOO_MANY_ATTEMPTS');
    const { wholesalerId, checks, now } = link;
    const state = { status: 'pending', sends: link.sends, checks } as const;
    const { codeSalt, codeExpiresAt, isToOldPhone } = link;
    const repeats =
      codeSalt !== null &&
      codeExpiresAt !== null &&
      !isToOldPhone &&
      repeatsCode({ ...state, expiresAt: codeExpiresAt }, now);
    const salt = repeats ? codeSalt : newCodeSaltFor(config, phone);
    const expiresAt = repeats ? codeExpiresAt : new Date(now.getTime() + CODE_LIFE_MS);
    await storeSentCode(tx, link, { salt, expiresAt, isNew: !repeats });
    await appendToOutbox(
      tx,
      smsRows(sealer, {
        template: 'account-code',
        phone,
        values: { code: codeOf(config.CODE_PEPPER, link.id, salt) },
        wholesalerId,
        subjectId: link.userId,
        expiresAt,
      }),
    );
  });
  relay.wake();
}
