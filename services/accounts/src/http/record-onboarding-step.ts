import { STEP_BODY_LIMIT } from '@fiado/contracts/body-limits';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { validInstance } from '@fiado/chassis/validation';
import type { StoreAnswer } from '@fiado/chassis/idempotency';
import { ValidationError } from '@fiado/contracts/errors';
import { isImageStep, ONBOARDING_STEPS, type ImageStep } from '@fiado/contracts/onboarding';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { decodeBase64, imageProblem, imageWarnings, readImageHeader } from '../domain/image';
import {
  recordOnboardingStep,
  type RecordedStep,
  type StepContent,
} from '../use-cases/record-onboarding-step';
import { ImageStepBody, InformationStepBody, NameStepBody, StepBody } from './onboarding-bodies';

/** Values in a step's body: an image is one text, and no step has more than a dozen fields. */
const MAX_VALUES = 1_000;
/** Limits of a body that holds an image. */
export const STEP_BODY_LIMITS = { bodyLimit: STEP_BODY_LIMIT, maxValues: MAX_VALUES };

interface Told {
  content: StepContent;
  /** Recommendations of the spec that the image does not meet. */
  warnings: string[];
}

const step = t.oneOf(ONBOARDING_STEPS);

export const recordOnboardingStepEndpoint = endpoint({
  id: 'recordOnboardingStep',
  ignoresUnknown: true,
  tag: 'Accounts',
  route: 'PUT /v1/account/:userId/verification/:verificationId/onboarding',
  scope: 'accounts:write',
  ...STEP_BODY_LIMITS,
  summary: 'Record an onboarding step',
  description:
    'The image steps carry `document`, `CORNER_STORE_INFORMATION` and `CORNER_STORE_NAME_UPDATE` ' +
    'carry `information`, `COMPLETED` carries no other field. Steps may ' +
    'be repeated and sent in any order. `warnings` lists recommendations that the image does not follow.',
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
  errors: [
    'USER_NOT_FOUND',
    'VERIFICATION_NOT_FOUND',
    'DOCUMENT_LIMIT_REACHED',
    'TOO_MANY_ATTEMPTS',
  ],
  idempotent: true,
  answer: t.object('OnboardingProgress', {
    success: t.constant(true),
    step,
    completedSteps: t.listOf(step),
    missingSteps: t.listOf(step),
    warnings: t.listOf(t.text),
  }),
  example: {
    success: true,
    step: 'CORNER_STORE_INFORMATION',
    completedSteps: ['DOCUMENT_IMAGE_FRONTAL', 'CORNER_STORE_INFORMATION'],
    missingSteps: ['DOCUMENT_IMAGE_BACK', 'SELFIE_IMAGE', 'STORE_IMAGE', 'COMPLETED'],
    warnings: [],
  },
  input: ({ json, id, caller: by }) => ({
    ...toldBy(json),
    by,
    userId: id('userId', 'USER_NOT_FOUND'),
    verificationId: id('verificationId', 'VERIFICATION_NOT_FOUND'),
  }),
  handle: async (
    context: Context,
    { warnings, ...command },
    answerOf: StoreAnswer<RecordedStep & { warnings: string[] }>,
  ) => {
    const answerOfRecorded: StoreAnswer<RecordedStep> = (recorded) =>
      answerOf({ ...recorded, warnings });
    return { ...(await recordOnboardingStep(context, command, answerOfRecorded)), warnings };
  },
  present: (recorded) => ({
    success: true,
    step: recorded.step,
    completedSteps: recorded.completedSteps,
    missingSteps: recorded.missingSteps,
    warnings: recorded.warnings,
  }),
});

/** @throws ValidationError for a body that is not its step's */
export function toldBy(json: unknown): Told {
  const { step } = validInstance(StepBody, json, 'ignore');
  if (isImageStep(step)) return imageOf(step, validInstance(ImageStepBody, json, 'ignore'));
  if (step === 'COMPLETED') return { content: { step }, warnings: [] };
  if (step === 'CORNER_STORE_NAME_UPDATE') {
    const { information } = validInstance(NameStepBody, json, 'ignore');
    return { content: { step, name: information.cornerStoreName }, warnings: [] };
  }
  return informationOf(validInstance(InformationStepBody, json, 'ignore'));
}

function informationOf({ information }: InformationStepBody): Told {
  const { cornerStoreType, businessLifetime, ownershipStatus } = information;
  const { cornerStoreName, cornerStoreAddress, localeOwner } = information;
  const content: StepContent = {
    step: 'CORNER_STORE_INFORMATION',
    name: cornerStoreName,
    information: {
      cornerStoreType,
      businessLifetime,
      ownershipStatus,
      cornerStoreAddress,
      localeOwner,
    },
  };
  return { content, warnings: [] };
}

function imageOf(step: ImageStep, { document }: ImageStepBody): Told {
  const image = decodeBase64(document.base64Content);
  if (image === undefined) {
    throw new ValidationError(['document.base64Content must be base64 without line breaks']);
  }
  const header = readImageHeader(image);
  const problem = imageProblem(header, document.fileExtension);
  if (header === undefined || problem !== undefined) {
    throw new ValidationError([`document.${problem}`]);
  }
  return { content: { step, image }, warnings: imageWarnings(header, image.length) };
}
