import { IsBoolean, IsOptional } from '@fiado/contracts/class-validator';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { About } from '@fiado/contracts/about';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { IsNonEmptyText, IsNonNegativeAmount } from '@fiado/contracts/decorators';
import { centsOf } from '@fiado/contracts/money';
import { refuseWhileChangeWaits, requestChange } from '../approvals/request-change';
import { changedValues } from '../audit/audit-log';
import { MAX_REASON_LENGTH } from '@fiado/contracts/reason-body';
import type { Context } from '../context';
import { IsRate, IsTimeZoneName, rateOf } from '../request-fields';
import { changeCornerStore } from './change-corner-store';
import { cornerStoreChange, exampleDetails, refusedTerms } from './corner-store-details';
import type { CornerStoreDetails } from './corner-store-details.sql';
import {
  differingTerms,
  type LimitHistory,
  raiseOf,
  type Terms,
  termsNeedApproval,
  termsNeedConfirmation,
} from './terms.rules';

class UpdateCornerStoreBody {
  @IsOptional()
  @IsNonNegativeAmount()
  creditLimit?: number;

  @IsOptional()
  @IsRate()
  interestRate?: number;

  @IsOptional()
  @IsTimeZoneName()
  timeZone?: string;

  @About('For the second person, where one is needed', 'Pays on time for a year')
  @IsOptional()
  @IsNonEmptyText(MAX_REASON_LENGTH)
  reason?: string;

  @About('Whether unusual values are meant; `false` refuses them for a key too', true)
  @IsOptional()
  @IsBoolean()
  confirmed?: boolean;
}

export const updateCornerStoreEndpoint = endpoint({
  ...cornerStoreChange,
  id: 'updateCornerStore',
  as: 'cornerStores.update',
  route: 'PUT /v1/admin/corner-stores/:cornerStoreId',
  scope: 'approver',
  summary: 'Change the limit, the rate and the time zone of a corner store',
  description:
    'With the credential of a person, a limit that people raise by more than 25 % or 10,000 pesos in sum since ' +
    'two of them approved it (else since the import), and any other rate, waits for a second person: 202. While it ' +
    'waits another raise is a 409; a lower limit counts at once and ends it. A limit above `CREDIT_LIMIT_CEILING` (100,000 pesos) or a rate ' +
    'above 0.30 needs `confirmed`. Keys of machines need neither, but `confirmed: false` asks for the check.',
  body: UpdateCornerStoreBody,
  bodyExample: { creditLimit: 15_000 },
  mayWait: true,
  errors: [...cornerStoreChange.errors, 'CONFIRMATION_REQUIRED', 'CHANGE_ALREADY_REQUESTED'],
  errorFields: { CONFIRMATION_REQUIRED: refusedTerms },
  example: { ...exampleDetails, creditLimit: 15_000 },
  input: ({ body, id, caller: by }) => ({
    by,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    terms: termsOf(body),
    reason: body.reason ?? null,
    confirmed: body.confirmed,
  }),
  handle: updateCornerStore,
});

function termsOf({ creditLimit, interestRate, timeZone }: UpdateCornerStoreBody): Partial<Terms> {
  return {
    ...(creditLimit === undefined ? {} : { creditLimitCents: centsOf(creditLimit) }),
    ...(interestRate === undefined ? {} : { interestRate: rateOf(interestRate) }),
    ...(timeZone === undefined ? {} : { timeZone }),
  };
}

interface UpdateCornerStore {
  by: Caller;
  cornerStoreId: string;
  /** Absent fields stay unchanged. */
  terms: Partial<Terms>;
  /** For the second person, where one is needed. */
  reason?: string | null;
  /** Confirms unusual terms. Absent: a person must confirm them, a key need not. */
  confirmed?: boolean | undefined;
}

/**
 * Ops sets a credit limit, an interest rate or a time zone; existing orders keep theirs. A limit
 * that people raise too far and any other rate wait for a second person, and while one waits no person
 * raises the limit. A lower limit counts at once, and ends what waits.
 * @throws AppError CORNER_STORE_NOT_FOUND, CORNER_STORE_IS_BLOCKED, CONFIRMATION_REQUIRED,
 *   CHANGE_ALREADY_REQUESTED
 */
export function updateCornerStore(
  context: Context,
  {
    by,
    cornerStoreId,
    terms,
    reason = null,
    confirmed = by.staff === undefined,
  }: UpdateCornerStore,
): Promise<CornerStoreDetails | ChangeRequested> {
  const { FOUR_EYES, CREDIT_LIMIT_CEILING } = context.config;
  const isExempt = !needsSecondPerson(FOUR_EYES, by);
  return changeCornerStore(context, {
    by,
    cornerStoreId,
    action: 'corner-store.changed',
    limitBy: isExempt ? 'exempt' : 'one-person',
    decide: async (store, tx) => {
      if (!confirmed) termsNeedConfirmation(store, terms, CREDIT_LIMIT_CEILING);
      const changes = differingTerms(store, terms);
      if (Object.keys(changes).length === 0) return undefined;
      if (isExempt) return changes;
      const target = {
        kind: 'corner-store.terms',
        targetId: cornerStoreId,
        targetVersion: store.version,
      } as const;
      if (!termsNeedApproval(store, changes)) {
        if (raiseOf(store, changes) > 0) await refuseWhileChangeWaits(tx, by, target);
        return changes;
      }
      return requestChange(tx, {
        ...target,
        by,
        payload: changes,
        before: valuesBefore(store, changes),
        reason,
      });
    },
  });
}

/** What the second person sees: the old values, and how far people raised the limit without one. */
function valuesBefore(store: Terms & LimitHistory, changes: Partial<Terms>): object {
  const { approvedLimitCents, raisedAloneCents } = store;
  return {
    ...changedValues<Partial<Terms>>(store, changes).before,
    ...(changes.creditLimitCents !== undefined &&
      raisedAloneCents > 0 && { approvedLimitCents, raisedAloneCents }),
  };
}
