import { internalEndpoint } from '@fiado/shared/chassis/http/endpoint';
import { sampledFigures } from '@fiado/shared/chassis/ops-figures';
import { OpsFiguresQuestion } from '@fiado/shared/contracts/ops-figures';
import { SmsBudgetQuestion, SmsStatusQuestion } from '@fiado/shared/contracts/sms';
import { MessageTimelineQuestion, type TimelineAnswer } from '@fiado/shared/contracts/timeline';
import type { Context } from '../context';
import { findMessageTimeline } from '../db/timeline.repository';
import { answerSmsBudget, answerSmsStatus } from '../use-cases/answer-sms-questions';
import { readOpsFigures } from '../use-cases/read-ops-figures';

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

export const opsFiguresEndpoint = internalEndpoint({
  path: '/internal/ops-figures',
  allow: ['service:accounts'],
  body: OpsFiguresQuestion,
  handle: sampledFigures(readOpsFigures),
});

export const timelineEndpoint = internalEndpoint({
  path: '/internal/timeline',
  allow: ['service:accounts'],
  body: MessageTimelineQuestion,
  handle: async ({ db }: Context, question): Promise<TimelineAnswer> => ({
    entries: await findMessageTimeline(db, question),
  }),
});
