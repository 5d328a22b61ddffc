import { IsBoolean } from 'class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { changeEventSettings } from '../use-cases/change-event-settings';
import { eventOwnerOf } from './event-owner';

class EventSettingsBody {
  @IsBoolean()
  enabled: boolean;
}

export const changeEventSettingsEndpoint = endpoint({
  id: 'changeEventSettings',
  tag: 'Events',
  route: 'PUT /v1/events/settings',
  scope: 'webhooks:write',
  summary: 'Switch events on or off',
  description:
    'For systems that list events and have no webhook endpoint; an endpoint switches them on too. ' +
    'Once it has answered, every later event is listed. What happened before is not. They cannot be ' +
    'switched off while there are webhook endpoints.',
  body: EventSettingsBody,
  bodyExample: { enabled: true },
  errors: ['WEBHOOK_ENDPOINTS_NEED_EVENTS'],
  answer: t.object('EventSettings', { enabled: t.flag }),
  example: { enabled: true },
  input: ({ caller, body: { enabled } }) => ({ owner: eventOwnerOf(caller), enabled }),
  handle: (context: Context, input) => changeEventSettings(context, input),
  present: ({ enabled }) => ({ enabled }),
});
