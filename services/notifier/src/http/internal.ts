import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { sampledFigures } from '@fiado/chassis/ops-figures';
import { messageFiguresCall } from '@fiado/contracts/ops-figures';
import { smsBudgetCall, smsStatusCall } from '@fiado/contracts/sms';
import { messageTimelineCall } from '@fiado/contracts/timeline';
import type { Context } from '../context';
import { findMessageTimeline } from '../db/timeline.repository';
import { answerSmsBudget, answerSmsStatus } from '../use-cases/answer-sms-questions';
import { readOpsFigures } from '../use-cases/read-ops-figures';

export const smsBudgetEndpoint = internalEndpoint({
  call: smsBudgetCall,
  allow: ['service:accounts', 'service:transactions'],
  handle: answerSmsBudget,
});

export const smsStatusEndpoint = internalEndpoint({
  call: smsStatusCall,
  allow: ['service:transactions'],
  handle: answerSmsStatus,
});

export const opsFiguresEndpoint = internalEndpoint({
  call: messageFiguresCall,
  allow: ['service:accounts'],
  handle: sampledFigures(readOpsFigures),
});

export const timelineEndpoint = internalEndpoint({
  call: messageTimelineCall,
  allow: ['service:accounts'],
  handle: async ({ db }: Context, question) => ({
    entries: await findMessageTimeline(db, question),
  }),
});
