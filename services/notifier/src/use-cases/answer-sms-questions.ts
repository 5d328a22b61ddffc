import type {
  SmsBudgetAnswer,
  SmsBudgetQuestion,
  SmsStatusAnswer,
  SmsStatusQuestion,
} from '@fiado/contracts/sms';
import type { Context } from '../context';
import { newestStatus, wouldBeSent } from '../db/sms-questions.repository';

/** Whether the budgets allow an SMS. Called before a code or word is sent again. */
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
  // `sending` is internal: callers see `pending`.
  return { status: status === 'sending' ? 'pending' : (status ?? null) };
}
