import type { Sealer } from '../keys/sealing';
import { AppError } from '@fiado/contracts/errors';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import type { MessageTemplate } from '@fiado/contracts/message-catalogue';
import {
  smsBudgetCall,
  smsStatusCall,
  type SmsBudgetQuestion,
  type SmsStatus,
  type SmsStatusQuestion,
} from '@fiado/contracts/sms';
import { sandboxPhoneOf } from '@fiado/contracts/phone';
import type { InternalClient } from './internal-client';

/**
 * How long a caller waits for the notifier. The information is useful, but not worth a slow answer.
 */
export const NOTIFIER_DEADLINE_MS = 500;

export interface PlannedSms {
  template: MessageTemplate;
  /** E.164. */
  phone: string;
  wholesalerId: string;
  /** Time in which it must be sent, in milliseconds. */
  lifeMs: number;
}

interface BudgetContext {
  config: { FIADO_MODE: 'sandbox' | 'production' };
  notifier: InternalClient;
  sealer: Sealer;
}

/**
 * Whether the budgets would let an SMS out. Ask before the database transaction that wants it. True
 * when the notifier cannot be asked: not knowing is no reason to refuse.
 */
export async function hasSmsBudget(
  { config, notifier, sealer }: BudgetContext,
  { template, phone, wholesalerId, lifeMs }: PlannedSms,
): Promise<boolean> {
  if (sandboxPhoneOf(config.FIADO_MODE, phone) === 'capped') return false;
  const question: SmsBudgetQuestion = {
    template,
    phoneIndex: sealer.blindIndex(phone, PHONE_PURPOSE).toString('base64'),
    wholesalerId,
    lifeSeconds: Math.floor(lifeMs / 1_000),
  };
  try {
    return (await notifier.ask(smsBudgetCall, question)).allowed;
  } catch (error) {
    if (error instanceof AppError) return true;
    throw error;
  }
}

/**
 * The status of the newest SMS of a kind about an object.
 * @returns null when there is none yet, undefined when the notifier cannot be asked
 */
export async function smsStatusOf(
  notifier: InternalClient,
  question: SmsStatusQuestion,
): Promise<SmsStatus | null | undefined> {
  try {
    return (await notifier.ask(smsStatusCall, question)).status;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
