import {
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
} from '@fiado/contracts/class-validator';
import { CHANGE_KIND_NAMES, CHANGE_KINDS, type ChangeOf } from '../change-requests';
import { defineJob } from '../define';

type ChangeElsewhere = ChangeOf<'payments' | 'transactions'>;

const MADE_ELSEWHERE = CHANGE_KIND_NAMES.filter(
  (kind): kind is ChangeElsewhere => CHANGE_KINDS[kind].owner !== 'accounts',
);

/** A job about a change that another service than accounts makes. */
class AboutChange {
  @IsUUID()
  changeRequestId: string;

  /** The deposit, payout, debt, statement or order; of an adjustment the request itself. */
  @IsOptional()
  @IsUUID()
  targetId?: string;

  // Three names of the target in jobs of the release before, which also needs them. They go one release after
  // this one, and `targetId` is then in each job.
  @IsOptional()
  @IsUUID()
  depositId?: string;

  @IsOptional()
  @IsUUID()
  payoutId?: string;

  @IsOptional()
  @IsUUID()
  receivableId?: string;
}

/** A change that waits for a second person. */
export class RequestedChange extends AboutChange {
  @IsIn(MADE_ELSEWHERE)
  kind: ChangeElsewhere;

  @IsObject()
  payload: object;

  @IsObject()
  before: object;

  @IsOptional()
  @IsString()
  reason?: string | undefined;

  @IsString()
  requestedBy: string;

  /** Of a deposit, for accounts of the release before. */
  @IsOptional()
  @IsInt()
  depositVersion?: number | undefined;
}

export class ChangeDecided extends AboutChange {
  /** False: rejected or expired. */
  @IsBoolean()
  isApproved: boolean;

  /** The second person; absent where the request expired. */
  @IsOptional()
  @IsString()
  decidedBy?: string | undefined;
}

export class ChangeExecuted {
  @IsUUID()
  changeRequestId: string;

  /** Why it was not made: `STALE`, `CHANGE_TARGET_CHANGED`, or the code of an error. */
  @IsOptional()
  @IsString()
  failure?: string | undefined;
}

/** An approved change was made, or cannot be made any more. */
function changeExecuted(subject: string, owner: 'payments' | 'transactions') {
  return defineJob({
    type: `${subject}-change.executed`,
    producers: [owner],
    queues: ['accounts'],
    Data: ChangeExecuted,
  });
}

/** Of payments, whose first release knew only changes of deposits. */
export const paymentsChangeExecuted = changeExecuted('deposit', 'payments');
export const settlementChangeExecuted = changeExecuted('settlement', 'transactions');

/** What is changed: the first word of a kind, unless the change is one of transactions. */
function subjectOf(kind: ChangeElsewhere): string {
  return CHANGE_KINDS[kind].owner === 'transactions' ? 'settlement' : (kind.split('.')[0] ?? '');
}

/** What accounts and the service that makes a change send each other before it is made. */
function changeJobs(subject: string, owner: 'payments' | 'transactions') {
  class RequestedOfSubject extends RequestedChange {
    @IsIn(MADE_ELSEWHERE.filter((kind) => subjectOf(kind) === subject))
    override kind: ChangeElsewhere;
  }
  return {
    /** The name of the target in the release before. */
    target: owner === 'payments' ? `${subject}Id` : 'targetId',
    /** A change waits for a second person. */
    requested: defineJob({
      type: `${subject}-change.requested`,
      producers: [owner],
      queues: ['accounts'],
      Data: RequestedOfSubject,
    }),
    /** Make the change that waits, or forget it. */
    decided: defineJob({
      type: `${subject}-change.decided`,
      producers: ['accounts'],
      queues: [owner],
      Data: ChangeDecided,
    }),
  };
}

/** By what is changed. */
export const CHANGE_JOBS = {
  deposit: changeJobs('deposit', 'payments'),
  payout: changeJobs('payout', 'payments'),
  receivable: changeJobs('receivable', 'payments'),
  settlement: changeJobs('settlement', 'transactions'),
};

type ChangeSubject = keyof typeof CHANGE_JOBS;

/** The jobs about a kind of change. */
export function changeJobsOf(kind: ChangeElsewhere): (typeof CHANGE_JOBS)[ChangeSubject] {
  return CHANGE_JOBS[subjectOf(kind) as ChangeSubject];
}

/** The target of a job of this release or of the one before. */
export function targetOf({
  targetId,
  depositId,
  payoutId,
  receivableId,
}: Omit<AboutChange, 'changeRequestId'>): string {
  return targetId ?? depositId ?? payoutId ?? receivableId ?? '';
}

class ExecuteChange {
  @IsUUID()
  changeRequestId: string;
}

/** accounts 1.0, to itself: make an approved change. Nothing sends it any more. */
export const executeChange = defineJob({
  type: 'execute-change',
  producers: ['accounts'],
  queues: ['accounts'],
  Data: ExecuteChange,
});
