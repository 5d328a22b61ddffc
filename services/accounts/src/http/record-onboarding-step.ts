import type { Request, RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { idParam } from '@fiado/shared/chassis/http/params';
import { ValidationError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { decodeBase64, imageProblem, imageWarnings, readImageHeader } from '../domain/image';
import { isImageStep, type ImageStep } from '../domain/onboarding';
import {
  recordOnboardingStep,
  type RecordedStep,
  type StepContent,
} from '../use-cases/record-onboarding-step';
import { ImageStepBody, InformationStepBody, NameStepBody, StepBody } from './onboarding-bodies';

interface Told {
  content: StepContent;
  /** What the spec recommends and the image is not. */
  warnings: string[];
}

/** PUT /v1/account/:userId/verification/:verificationId/onboarding (spec e4). */
export function handleRecordOnboardingStep(context: Context): RequestHandler {
  return async (req, res) => {
    const { content, warnings } = toldBy(req);
    const command = {
      by: callerOf(req),
      userId: idParam(req, 'userId', 'USER_NOT_FOUND'),
      verificationId: idParam(req, 'verificationId', 'VERIFICATION_NOT_FOUND'),
      content,
    };
    await answerOnce<RecordedStep>(context.db, req, res, {
      status: 200,
      present: ({ step, completedSteps, missingSteps }) => ({
        success: true,
        step,
        completedSteps,
        missingSteps,
        warnings,
      }),
      work: (keep) => recordOnboardingStep(context, { ...command, keep }),
    });
  };
}

/** @throws ValidationError for a body that is not its step's */
function toldBy(req: Request): Told {
  const { step } = validBody(StepBody, req);
  if (isImageStep(step)) return imageOf(step, validBody(ImageStepBody, req));
  if (step === 'COMPLETED') return { content: { step }, warnings: [] };
  if (step === 'CORNER_STORE_NAME_UPDATE') {
    const { information } = validBody(NameStepBody, req);
    return { content: { step, name: information.cornerStoreName }, warnings: [] };
  }
  return informationOf(validBody(InformationStepBody, req));
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
