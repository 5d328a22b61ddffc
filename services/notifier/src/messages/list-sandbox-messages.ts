import { IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { requireSandbox } from '@fiado/chassis/service-config';
import { About } from '@fiado/contracts/about';
import { IsText } from '@fiado/contracts/decorators';
import { SMS_STATUSES } from '@fiado/contracts/sms';
import type { Context } from '../context';
import { CHANNELS, pageOfMessages } from './messages.sql';
import { phoneIndexOf, readSealedSms } from './sealed-sms';

/** Integrators look for the messages of one phone or one verification. */
const LIMIT = 100;

class SandboxMessagesQuery {
  @About('Only messages to this phone number', '+525512345678')
  @IsOptional()
  @IsText(50)
  phoneNumber?: string;

  @About('Only messages with a code of this verification', '7c1f2b60-2e64-4f55-8f6c-0b8a4c6a9d22')
  @IsOptional()
  @IsUUID()
  verificationId?: string;
}

export const listSandboxMessagesEndpoint = endpoint({
  id: 'listSandboxMessages',
  as: 'sandbox.listMessages',
  tag: 'Sandbox',
  route: 'GET /v1/sandbox/messages',
  scope: 'transactions:read',
  names: {},
  summary: 'List the SMS to your customers',
  description: 'The newest 100, newest first, with their whole text. In production this is a 404.',
  query: SandboxMessagesQuery,
  answer: t.object('SandboxMessages', {
    messages: t.list(
      t.object('SandboxMessage', {
        to: t.field(t.text, 'Phone number of the SMS', '+525500000001'),
        body: t.textOrNull(
          'Text of the SMS. Null for a message that cannot be read',
          '123456 es tu clave para confirmar tu pedido de $500.00 con Abarrotes del Norte. Dala solo a su vendedor. Financiera de Prueba 55 5555 0100',
        ),
        template: t.field(t.text, 'Kind of SMS', 'order-code'),
        channel: t.field(t.oneOf(CHANNELS), 'What it goes by'),
        status: t.field(t.oneOf(SMS_STATUSES), 'State of the SMS'),
        reason: t.textOrNull('Why the SMS was not sent or did not arrive', 'phone-cap'),
        verificationId: t.idOrNull(
          'Id of the verification whose code it carries. Null for a message without a code',
          '7c1f2b60-2e64-4f55-8f6c-0b8a4c6a9d22',
        ),
        createdAt: fields.createdAt,
      }),
      'SMS, newest first',
    ),
  }),
  example: { messages: [{ status: 'sent', reason: null }] },
  input: ({ query, caller }, { config }: Context) => {
    requireSandbox(config);
    const { phoneNumber, verificationId } = query;
    return { wholesalerId: caller.id, phoneNumber, verificationId };
  },
  handle: async (context: Context, { wholesalerId, phoneNumber, verificationId }) => {
    const phoneIndex = phoneNumber === undefined ? undefined : phoneIndexOf(context, phoneNumber);
    const filter = { wholesalerId, phoneIndex, verificationId };
    const { page } = await pageOfMessages(context.db, filter, { limit: LIMIT });
    return page.map((message) => ({ message, sms: readSealedSms(context, message) }));
  },
  present: (messages) => ({
    messages: messages.map(({ message, sms }) => ({
      to: sms?.to ?? message.phoneMasked,
      body: sms?.text ?? null,
      template: message.template,
      channel: message.channel ?? ('sms' as const),
      // `sending` is internal: callers see `pending`.
      status: message.status === 'sending' ? 'pending' : message.status,
      reason: message.statusReason,
      verificationId: message.verificationId,
      createdAt: message.createdAt.toISOString(),
    })),
  }),
});
