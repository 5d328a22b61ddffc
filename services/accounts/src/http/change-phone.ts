import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { changePhone } from '../use-cases/change-phone';
import { EXAMPLE_IDS, EXAMPLE_PHONE } from './examples';
import { PhoneBody, phoneOf } from './request-fields';

export const changePhoneEndpoint = endpoint({
  id: 'changePhoneNumber',
  ignoresUnknown: true,
  tag: 'Accounts',
  route: 'PUT /v1/account/:userId',
  scope: 'accounts:write',
  summary: 'Change the phone number of an account',
  description:
    'Call it after the user has proved that the number is theirs. It takes effect at once. The codes and ' +
    'delivery words that you sent to the user become invalid: send them again. Where ' +
    'other wholesalers sell to the user too, your orders for it beyond 5,000 pesos together and your ' +
    'batch items may answer `USER_IS_IN_INTERNAL_VALIDATION` for 24 hours, and codes and words of larger ' +
    'orders are not sent again meanwhile (`TOO_MANY_ATTEMPTS`). The fourth change of a user in a ' +
    'day answers `TOO_MANY_ATTEMPTS`, and so does every change for 24 hours after twenty to numbers of ' +
    'other users. A number that the user confirmed with its code (`confirmVerification`) is always taken.',
  body: PhoneBody,
  bodyExample: { phoneNumber: EXAMPLE_PHONE },
  errors: ['USER_NOT_FOUND', 'PHONE_NUMBER_ALREADY_EXISTS', 'TOO_MANY_ATTEMPTS'],
  idempotent: true,
  // The phone is sealed in its column, so it is sealed in a stored answer too.
  answerSealer: ({ sealer }: Context) => sealer,
  answer: t.object('ChangedPhone', { userId: t.uuid, phoneNumber: t.text }),
  example: { userId: EXAMPLE_IDS.userId, phoneNumber: EXAMPLE_PHONE },
  input: ({ body, id, caller: by }, context: Context) => ({
    by,
    phone: phoneOf(context, body.phoneNumber),
    userId: id('userId', 'USER_NOT_FOUND'),
  }),
  handle: changePhone,
  present: ({ userId, phone }) => ({ userId, phoneNumber: phone }),
});
