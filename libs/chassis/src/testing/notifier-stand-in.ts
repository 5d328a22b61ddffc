import type { SmsBudgetAnswer, SmsStatus, SmsStatusAnswer } from '@fiado/contracts/sms';
import { startStandIn, type StandIn } from './stand-in';

/** A small HTTP server in the notifier's place. It answers as `budget` and `smsStatus` say. */
export interface NotifierStandIn extends StandIn {
  /** Questions so far: paths and bodies. */
  questions: Array<{ path: string; body: Record<string, unknown> }>;
  /** Whether budgets let an SMS out; a notifier that hangs does not answer at all. */
  budget: 'allowed' | 'refused' | 'hangs';
  smsStatus: SmsStatus | null;
}

export async function startNotifierStandIn(): Promise<NotifierStandIn> {
  const server = await startStandIn(({ path, body }) => {
    standIn.questions.push({ path, body: JSON.parse(body) as Record<string, unknown> });
    if (standIn.budget === 'hangs') return undefined;
    const answer: SmsBudgetAnswer | SmsStatusAnswer = path.endsWith('sms-budget')
      ? { allowed: standIn.budget === 'allowed' }
      : { status: standIn.smsStatus };
    return { body: answer };
  });
  const standIn: NotifierStandIn = {
    ...server,
    questions: [],
    budget: 'allowed',
    smsStatus: null,
  };
  return standIn;
}
