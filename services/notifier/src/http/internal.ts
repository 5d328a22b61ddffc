import { internalEndpoint } from '@fiado/shared/chassis/http/endpoint';
import { SmsBudgetQuestion, SmsStatusQuestion } from '@fiado/shared/contracts/sms';
import { answerSmsBudget, answerSmsStatus } from '../use-cases/answer-sms-questions';

export const smsBudgetEndpoint = internalEndpoint({
  path: '/internal/sms-budget',
  allow: ['service:accounts', 'service:transactions'],
  body: SmsBudgetQuestion,
  handle: answerSmsBudget,
});

export const smsStatusEndpoint = internalEndpoint({
  path: '/internal/sms-status',
  allow: ['service:transactions'],
  body: SmsStatusQuestion,
  handle: answerSmsStatus,
});
