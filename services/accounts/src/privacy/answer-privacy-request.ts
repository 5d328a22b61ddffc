import { Type } from 'class-transformer';
import { IsIn, IsObject, IsOptional, ValidateNested } from '@fiado/contracts/class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { timeOf } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { About, DescribedAs } from '@fiado/contracts/about';
import type { Caller } from '@fiado/contracts/caller';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import {
  PRIVACY_ANSWERS,
  PRIVACY_REASONS,
  type PrivacyAnswer,
  type PrivacyReason,
  type PrivacyRequestKind,
} from '@fiado/contracts/privacy';
import type { Context } from '../context';
import { IsPhoneText, phoneOf } from '../request-fields';
import { requireNothingOpen } from './block-person';
import { refuseTakenCorrection } from './correct-person';
import { grantCancellation } from './grant-cancellation';
import { grantOpposition } from './grant-opposition';
import { grantAccess, grantRectification } from './grant-to-person';
import {
  presentPrivacyRequest,
  privacyRequestAnswer,
  privacyRequestFields,
} from './privacy-request';
import { dueAt, effectOf, reasonsOf } from './privacy-request.rules';
import {
  findPrivacyRequest,
  type LockedPerson,
  lockRequestAndPerson,
  type PrivacyRequest,
  updatePrivacyRequest,
} from './privacy-requests.sql';
import {
  auditAnswer,
  type Corrections,
  finishPrivacyRequest,
  type Grant,
  recordGrant,
} from './settle-request';

/** As in createAccountVerification. */
const MAX_NAME = 200;

class CorrectionsBody {
  @About('First name, as it should be', 'Lucía')
  @IsOptional()
  @IsNonEmptyText(MAX_NAME)
  firstName?: string;

  @About('Last names, as they should be', 'Ortega Ruiz')
  @IsOptional()
  @IsNonEmptyText(MAX_NAME)
  lastNames?: string;

  @About('Name of the store, as it should be', 'Abarrotes Lucía')
  @IsOptional()
  @IsNonEmptyText(MAX_NAME)
  cornerStoreName?: string;

  @About('Phone number, as it should be', '+525512340101')
  @IsOptional()
  @IsPhoneText()
  phoneNumber?: string;
}

@DescribedAs(privacyRequestFields)
class AnswerPrivacyRequestBody {
  @About('The answer; `extended` moves a time once')
  @IsIn(PRIVACY_ANSWERS)
  outcome: PrivacyAnswer;

  /** Why it is refused or extended. */
  @IsOptional()
  @IsIn(PRIVACY_REASONS)
  reasonCode?: PrivacyReason;

  @About('Of a rectification that is granted; absent fields stay as they are')
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => CorrectionsBody)
  corrections?: CorrectionsBody;
}

export const answerPrivacyRequestEndpoint = endpoint({
  id: 'answerPrivacyRequest',
  as: 'privacyRequests.answer',
  once: true,
  tag: 'Ops: privacy',
  route: 'POST /v1/admin/privacy-requests/:privacyRequestId/answer',
  scope: 'approver',
  summary: 'Grant, refuse or extend what a person asked',
  description:
    'A granted rectification makes the `corrections` at once, but with a phone number it waits for a second person; a phone ' +
    'number follows the rules of `changePhoneNumber`, and that of a blocked person stays. A granted access, a copy of ' +
    'what is kept, waits for a second person. A granted opposition ends the reminders of debts that are not due yet; codes, ' +
    'receipts and messages about overdue debts stay. A granted cancellation blocks the person: it waits for a ' +
    'second person, and is refused while the person owes or is owed. `refused` and `extended` need a `reasonCode`. ' +
    '`extended` adds as many business days as the term has, once for the answer and once for the execution.',
  body: AnswerPrivacyRequestBody,
  bodyExample: { outcome: 'granted', corrections: { lastNames: 'Ortega Ruiz' } },
  mayWait: true,
  errors: [
    'PRIVACY_REQUEST_NOT_FOUND',
    'PRIVACY_REQUEST_IS_NOT_OPEN',
    'REASON_REQUIRED',
    'PHONE_NUMBER_ALREADY_EXISTS',
    'TOO_MANY_ATTEMPTS',
    'PERSON_HAS_OPEN_BALANCE',
    'CORNER_STORE_IS_BLOCKED',
  ],
  answer: privacyRequestAnswer,
  example: {
    kind: 'rectification',
    answerExtended: false,
    executionExtended: false,
    status: 'done',
    outcome: 'granted',
  },
  input: ({ body, id, caller: by }, context: Context): AnswerPrivacyRequest => ({
    by,
    outcome: body.outcome,
    reasonCode: reasonOf(body),
    corrections: correctionsOf(context, body),
    privacyRequestId: id('privacyRequestId', 'PRIVACY_REQUEST_NOT_FOUND'),
  }),
  // The errors are also those of what is granted.
  handle: async (context: Context, command) => {
    const { privacyRequestId: id, outcome, corrections } = command;
    const asked = await findPrivacyRequest(context.db, id);
    if (asked?.kind === 'cancellation' && asked.status === 'open' && outcome === 'granted') {
      // Asked before the store is locked: other calls would wait for that lock meanwhile.
      await requireNothingOpen(context, asked.cornerStoreId);
    }
    const answered = await context.db
      .transaction(async (tx) => {
        const locked = await lockRequestAndPerson(tx, id);
        if (locked === null) throw new AppError('PRIVACY_REQUEST_NOT_FOUND');
        const waiting = await takeAnswer(context, tx, { ...command, ...locked });
        return waiting ?? (await findPrivacyRequest(tx, id));
      })
      .catch((error: unknown) => refuseTakenCorrection(context, error, corrections));
    if (answered === undefined) throw new Error('A locked privacy request is gone');
    return answered;
  },
  present: presentPrivacyRequest,
});

function reasonOf({ outcome, reasonCode }: AnswerPrivacyRequestBody): PrivacyReason | null {
  const reasons = reasonsOf(outcome);
  if (reasonCode === undefined) return null;
  if (reasons.includes(reasonCode)) return reasonCode;
  throw new ValidationError([
    reasons.length === 0
      ? 'reasonCode must be absent'
      : `reasonCode must be one of the following values: ${reasons.join(', ')}`,
  ]);
}

function correctionsOf(
  context: Context,
  { outcome, corrections }: AnswerPrivacyRequestBody,
): Corrections | undefined {
  if (corrections === undefined) return undefined;
  if (outcome !== 'granted') throw new ValidationError(['corrections must be absent']);
  // A field that is null is absent.
  const { firstName, lastNames, cornerStoreName, phoneNumber } = corrections;
  const given: Corrections = {
    ...(firstName && { firstName }),
    ...(lastNames && { lastNames }),
    ...(cornerStoreName && { cornerStoreName }),
    ...(phoneNumber && { phone: phoneOf(context, phoneNumber) }),
  };
  if (Object.keys(given).length === 0) {
    throw new ValidationError(['corrections must have at least one field']);
  }
  return given;
}

interface AnswerPrivacyRequest {
  by: Caller;
  privacyRequestId: string;
  outcome: PrivacyAnswer;
  reasonCode: PrivacyReason | null;
  corrections: Corrections | undefined;
}

const GRANTS: Record<PrivacyRequestKind, Grant> = {
  access: grantAccess,
  cancellation: grantCancellation,
  rectification: grantRectification,
  opposition: grantOpposition,
};

async function takeAnswer(
  context: Context,
  tx: Transaction,
  answer: AnswerPrivacyRequest & { person: LockedPerson; request: PrivacyRequest },
): Promise<ChangeRequested | undefined> {
  const { by, request, outcome, reasonCode, corrections } = answer;
  const now = await timeOf(tx);
  const effect = effectOf(request, outcome, now);
  if (effect === undefined) throw new AppError('PRIVACY_REQUEST_IS_NOT_OPEN');
  if (outcome !== 'granted' && reasonCode === null) {
    throw new AppError('REASON_REQUIRED', {
      message: 'An answer that refuses or extends needs a reasonCode',
    });
  }
  const isRectification = request.kind === 'rectification';
  if (outcome === 'granted' && isRectification !== (corrections !== undefined)) {
    throw new ValidationError([`corrections must be ${isRectification ? 'given' : 'absent'}`]);
  }
  if (effect !== 'settles') {
    await extend(context, tx, answer, effect);
    return undefined;
  }
  if (outcome !== 'granted') {
    const changes = { status: 'refused', outcome: 'refused', reasonCode, answeredAt: now } as const;
    await updatePrivacyRequest(tx, request.id, { ...changes, answeredBy: by.id });
    await auditAnswer(tx, answer);
    return undefined;
  }
  const begun = await GRANTS[request.kind](context, tx, answer);
  if (begun instanceof ChangeRequested) return begun;
  await recordGrant(context, tx, { by, request });
  if (begun === 'done') await finishPrivacyRequest(tx, { by, request });
  return undefined;
}

async function extend(
  { config }: Context,
  tx: Transaction,
  answer: Pick<AnswerPrivacyRequest, 'by' | 'outcome' | 'reasonCode'> & { request: PrivacyRequest },
  effect: 'extends-answer' | 'extends-execution',
): Promise<void> {
  const { request, reasonCode } = answer;
  const { PRIVACY_ANSWER_DAYS, PRIVACY_EXECUTION_DAYS, TIME_ZONE: timeZone } = config;
  const from = request.answeredAt ?? request.receivedAt;
  const changes =
    effect === 'extends-answer'
      ? {
          answerExtended: true,
          answerDueAt: dueAt(request.receivedAt, true, { days: PRIVACY_ANSWER_DAYS, timeZone }),
        }
      : {
          executionExtended: true,
          executionDueAt: dueAt(from, true, { days: PRIVACY_EXECUTION_DAYS, timeZone }),
        };
  await updatePrivacyRequest(tx, request.id, { ...changes, reasonCode });
  await auditAnswer(tx, answer);
}
