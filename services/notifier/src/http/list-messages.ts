import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import type { RequestHandler } from 'express';
import { validQuery } from '@fiado/shared/chassis/http/body';
import { PageQuery } from '@fiado/shared/chassis/page';
import type { Context } from '../context';
import { MESSAGE_STATUSES, type MessageStatus } from '../domain/message';
import { listMessages } from '../use-cases/list-messages';
import { presentMessage } from './present-message';

/** Query of GET /v1/admin/messages. */
export class ListMessagesQuery extends PageQuery {
  @IsOptional()
  @IsString()
  @MaxLength(50)
  phoneNumber?: string;

  @IsOptional()
  @IsIn(MESSAGE_STATUSES)
  status?: MessageStatus;
}

/** GET /v1/admin/messages: what was sent, to whom, and what came of it. */
export function handleListMessages(context: Context): RequestHandler {
  return async (req, res) => {
    const { phoneNumber, status, cursor, limit } = validQuery(ListMessagesQuery, req);
    const page = await listMessages(context, { phoneNumber, status, cursor, limit });
    res.json({ messages: page.messages.map(presentMessage), nextCursor: page.nextCursor });
  };
}
