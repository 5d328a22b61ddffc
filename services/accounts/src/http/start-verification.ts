import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsArrayOf, IsMetadata, IsNonEmptyText, IsText } from '@fiado/contracts/decorators';
import * as t from '@fiado/chassis/openapi/json-schema';
import { IsOptional } from 'class-validator';
import type { Context } from '../context';
import { startVerification } from '../use-cases/start-verification';
import { EXAMPLE_IDS, EXAMPLE_PHONE } from './examples';
import { IsPhoneText, phoneOf } from './request-fields';

const MAX_TEXT = 200;
const MAX_CONTACTS = 100;

class ContactBody {
  @IsText(MAX_TEXT)
  fullName: string;

  /** Stored as sent; nobody is called from here. */
  @IsText(MAX_TEXT)
  phoneNumber: string;
}

class StartVerificationBody {
  @IsNonEmptyText(MAX_TEXT)
  firstName: string;

  @IsNonEmptyText(MAX_TEXT)
  lastNames: string;

  @IsPhoneText()
  phoneNumber: string;

  @IsOptional()
  @IsText(MAX_TEXT)
  latitude?: string;

  @IsOptional()
  @IsText(MAX_TEXT)
  longitude?: string;

  @IsOptional()
  @IsArrayOf(() => ContactBody, { max: MAX_CONTACTS })
  contacts?: ContactBody[];

  @IsOptional()
  @IsMetadata()
  metadata?: object;
}

export const verificationAnswer = t.object('Verification', { verificationId: t.uuid });

export const startVerificationEndpoint = endpoint({
  id: 'createAccountVerification',
  ignoresUnknown: true,
  tag: 'Accounts',
  route: 'POST /v1/account/:userId/verification',
  scope: 'accounts:write',
  summary: 'Create an account verification',
  description:
    'Stores the data of the user and sends a code to `phoneNumber`, which becomes the user’s ' +
    'when the code is confirmed. A pending verification of the user is cancelled. ' +
    '`TOO_MANY_ATTEMPTS` after ten verifications of one user in 24 hours, and when too many codes ' +
    'went to phone numbers that no customer has, or too few of those were confirmed.',
  body: StartVerificationBody,
  bodyExample: {
    firstName: 'Lucía',
    lastNames: 'Ortega Ruiz',
    phoneNumber: EXAMPLE_PHONE,
    latitude: '25.6866',
    longitude: '-100.3161',
    contacts: [{ fullName: 'Raúl Ortega', phoneNumber: '+525512340102' }],
    metadata: { seller: 'norte-3' },
  },
  errors: ['USER_NOT_FOUND', 'USER_IS_VERIFIED', 'USER_IN_MANUAL_VALIDATION', 'TOO_MANY_ATTEMPTS'],
  idempotent: true,
  status: 201,
  answer: verificationAnswer,
  example: { verificationId: EXAMPLE_IDS.verificationId },
  input: ({ body, id, caller: by }, context: Context) => ({
    by,
    phone: phoneOf(context, body.phoneNumber),
    userId: id('userId', 'USER_NOT_FOUND'),
    firstName: body.firstName,
    lastNames: body.lastNames,
    latitude: body.latitude,
    longitude: body.longitude,
    contacts: body.contacts,
    metadata: body.metadata,
  }),
  handle: startVerification,
  present: ({ verificationId }) => ({ verificationId }),
});
