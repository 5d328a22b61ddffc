import { ONBOARDING_STEPS } from '@fiado/shared/contracts/onboarding';
import { listOf, object, oneOf, text, uuid } from '@fiado/shared/openapi/json-schema';
import type { Operation } from '@fiado/shared/openapi/operation';
import { ConfirmVerificationBody } from '../confirm-verification';
import { CreateKycLinkBody } from '../create-kyc-link';
import { ImageStepBody, InformationStepBody, NameStepBody, StepBody } from '../onboarding-bodies';
import { PhoneBody } from '../phone-body';
import { StartVerificationBody } from '../start-verification';
import { EXAMPLE_IDS } from './examples';

const { userId, verificationId } = EXAMPLE_IDS;
const phoneNumber = '+525512340101';

const verification = object('Verification', { verificationId: uuid });

export const startVerification: Operation = {
  id: 'createAccountVerification',
  tag: 'Accounts',
  summary: 'Create an account verification',
  description:
    'Keeps what is told of the user and sends a code to `phoneNumber`, which becomes the user’s ' +
    'when the code is confirmed. A pending verification of the user is cancelled.',
  body: StartVerificationBody,
  bodyExample: {
    firstName: 'Lucía',
    lastNames: 'Ortega Ruiz',
    phoneNumber,
    latitude: '25.6866',
    longitude: '-100.3161',
    contacts: [{ fullName: 'Raúl Ortega', phoneNumber: '+525512340102' }],
    metadata: { seller: 'norte-3' },
  },
  answer: { status: 201, schema: verification, example: { verificationId } },
  errors: ['USER_NOT_FOUND', 'USER_IS_VERIFIED', 'USER_IN_MANUAL_VALIDATION'],
  takesIdempotencyKey: true,
};

export const resendCode: Operation = {
  id: 'resendAccountCode',
  tag: 'Accounts',
  summary: 'Send the code of an account again',
  description: 'The errors of this endpoint have the keys `code` and `message`.',
  body: PhoneBody,
  bodyExample: { phoneNumber },
  answer: { status: 200, schema: verification, example: { verificationId } },
  errors: [
    'VERIFICATION_NOT_FOUND',
    'USER_IS_VERIFIED',
    'USER_IN_MANUAL_VALIDATION',
    'VERIFICATION_NOT_VALID',
    'TOO_MANY_ATTEMPTS',
  ],
  errorKeys: 'code and message',
  takesIdempotencyKey: true,
};

export const confirmVerification: Operation = {
  id: 'confirmAccountVerification',
  tag: 'Accounts',
  summary: 'Confirm an account with its code',
  description: '`errorCode` is taken as another name of `code`.',
  body: ConfirmVerificationBody,
  bodyExample: { code: '123456' },
  answer: {
    status: 200,
    schema: object('ConfirmedVerification', {
      verificationId: uuid,
      verificationStatus: { type: 'string', const: 'approved' },
    }),
    example: { verificationId, verificationStatus: 'approved' },
  },
  errors: [
    'USER_NOT_FOUND',
    'VERIFICATION_NOT_FOUND',
    'VERIFICATION_NOT_VALID',
    'PHONE_NUMBER_ALREADY_EXISTS',
  ],
  takesIdempotencyKey: true,
};

export const changePhone: Operation = {
  id: 'changePhoneNumber',
  tag: 'Accounts',
  summary: 'Change the phone number of an account',
  description: 'To be called after the user has shown that the number is theirs; counts at once.',
  body: PhoneBody,
  bodyExample: { phoneNumber },
  answer: {
    status: 200,
    schema: object('ChangedPhone', { userId: uuid, phoneNumber: text }),
    example: { userId, phoneNumber },
  },
  errors: ['USER_NOT_FOUND', 'PHONE_NUMBER_ALREADY_EXISTS'],
  takesIdempotencyKey: true,
};

const steps = listOf(oneOf(ONBOARDING_STEPS));

export const recordOnboardingStep: Operation = {
  id: 'recordOnboardingStep',
  tag: 'Accounts',
  summary: 'Record a step of the onboarding',
  description:
    'The image steps carry `document`, `CORNER_STORE_INFORMATION` and `CORNER_STORE_NAME_UPDATE` ' +
    'carry `information`, `COMPLETED` carries nothing more. Steps may repeat and come in any ' +
    'order. `warnings` tell what is recommended of an image and is not so.',
  body: [StepBody, ImageStepBody, InformationStepBody, NameStepBody],
  bodyExample: {
    step: 'CORNER_STORE_INFORMATION',
    information: {
      cornerStoreType: 'ABARROTES',
      businessLifetime: 'TWO-TO-THREE_YEARS',
      ownershipStatus: 'DUEÑO',
      cornerStoreName: 'Abarrotes Lucía',
      cornerStoreAddress: 'Calle Hidalgo 12, Monterrey',
      localeOwner: 'PROPIO',
    },
  },
  answer: {
    status: 200,
    schema: object('OnboardingProgress', {
      success: { type: 'boolean', const: true },
      step: oneOf(ONBOARDING_STEPS),
      completedSteps: steps,
      missingSteps: steps,
      warnings: listOf(text),
    }),
    example: {
      success: true,
      step: 'CORNER_STORE_INFORMATION',
      completedSteps: ['DOCUMENT_IMAGE_FRONTAL', 'CORNER_STORE_INFORMATION'],
      missingSteps: ['DOCUMENT_IMAGE_BACK', 'SELFIE_IMAGE', 'STORE_IMAGE', 'COMPLETED'],
      warnings: [],
    },
  },
  errors: ['USER_NOT_FOUND', 'VERIFICATION_NOT_FOUND', 'DOCUMENT_LIMIT_REACHED'],
  takesIdempotencyKey: true,
};

export const createKycLink: Operation = {
  id: 'createKycLink',
  tag: 'Accounts',
  summary: 'Create a link to the identity check',
  body: CreateKycLinkBody,
  bodyExample: { userId, verificationId },
  answer: {
    status: 201,
    schema: object('KycLink', { kycLink: { type: 'string', format: 'uri' } }),
    example: { kycLink: 'https://fiado.example/kyc/Zk3nY8Qh1vBq0xW2r7T4uJ6pL9sD5fGaCeMiOoKbNyE' },
  },
  errors: ['USER_NOT_FOUND', 'VERIFICATION_NOT_FOUND'],
  takesIdempotencyKey: true,
};
