import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as t from '@fiado/chassis/openapi/json-schema';
import { requireSandbox } from '@fiado/chassis/service-config';
import { About } from '@fiado/contracts/about';
import { IsText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { passOnWord } from './pass-on-word';
import { phoneIndexOf } from './sealed-sms';

/** As many characters as one SMS has, and more than any word. */
const MAX_TEXT = 160;

type ReadAs = Awaited<ReturnType<typeof passOnWord>>;

class SandboxReplyBody {
  @About('Phone number of a customer of yours that has had an SMS', '+525500000001')
  @IsText(50)
  phoneNumber: string;

  @About('What the corner store answers', 'NO')
  @IsText(MAX_TEXT)
  text: string;
}

export const replyInSandboxEndpoint = endpoint({
  id: 'replyInSandbox',
  as: 'sandbox.reply',
  tag: 'Sandbox',
  route: 'POST /v1/sandbox/replies',
  scope: 'transactions:write',
  names: {},
  summary: 'Answer an SMS as a corner store',
  description:
    'As if the owner of the phone had sent that SMS. `NO` disputes the only delivery of the last 48 hours, `NO 1` the first ' +
    'of several; `ALTO` and `ALTA` end and resume reminders. The effect follows a moment later. In production this is a 404.',
  body: SandboxReplyBody,
  bodyExample: { phoneNumber: '+525500000001', text: 'NO' },
  errors: ['CORNER_STORE_NOT_FOUND'],
  idempotent: true,
  answer: t.object('SandboxReply', {
    readAs: t.field(
      t.oneOf(['stop', 'start', 'deny', 'other']),
      '`deny`: an order is not its own. `stop`, `start`: no reminders, and reminders again. `other`: nothing follows',
      'deny',
    ),
  }),
  input: ({ body, caller }, { config }: Context) => {
    requireSandbox(config);
    const { phoneNumber, text } = body;
    return { phoneNumber, text, wholesalerId: caller.id };
  },
  // CORNER_STORE_NOT_FOUND: the phone got no SMS of the wholesaler.
  handle: async (
    context: Context,
    { wholesalerId, phoneNumber: number, text },
    answerOf: StoreAnswer<ReadAs>,
  ) => {
    const phoneIndex = phoneIndexOf(context, number);
    return answerInTransaction(context, answerOf, async (tx) => {
      const known = await query(
        tx,
        'SELECT FROM messages WHERE wholesaler_id = $1 AND phone_index = $2 LIMIT 1',
        [wholesalerId, phoneIndex],
      );
      if (known.length === 0) throw new AppError('CORNER_STORE_NOT_FOUND');
      const smsId = `SM${newId().replaceAll('-', '')}`;
      return passOnWord(context, tx, { number, text, smsId, byWhatsapp: false });
    });
  },
  present: (readAs) => ({ readAs }),
});
