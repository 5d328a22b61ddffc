import type {
  SmsBudgetAnswer,
  SmsBudgetQuestion,
  SmsStatusAnswer,
  SmsStatusQuestion,
} from '@fiado/shared/contracts/sms';
import type { Context } from '../context';
import { newestStatus, wouldBeSent } from '../db/sms-questions.repository';

/**
 * Whether an SMS would be sent, as far as budgets go: asked before a code or word is sent again.
 */
export async function answerSmsBudget(
  { db, config, phoneBudgets }: Pick<Context, 'db' | 'config' | 'phoneBudgets'>,
  { phoneIndex, ...planned }: SmsBudgetQuestion,
): Promise<SmsBudgetAnswer> {
  const allowed = await wouldBeSent(
    db,
    { ...planned, phoneIndex: Buffer.from(phoneIndex, 'base64') },
    { ...phoneBudgets, perWholesaler: config.SMS_PER_WHOLESALER_PER_MINUTE },
  );
  return { allowed };
}

/** The outcome of the newest SMS of a kind about an object. */
export async function answerSmsStatus(
  { db }: Pick<Context, 'db'>,
  question: SmsStatusQuestion,
): Promise<SmsStatusAnswer> {
  const status = await newestStatus(db, question);
  // Whether a process is calling the provider just now is nobody else's matter.
  return { status: status === 'sending' ? 'pending' : (status ?? null) };
}
