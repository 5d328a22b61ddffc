import { IsIn, IsUUID, Matches } from 'class-validator';
import { IsText } from './decorators';
import type { LinkCode, SendCode } from './links';
import type { PaymentAnswer } from './debts';
import { defineCall } from './define';

/** A token has 43 characters; what is longer is none, and not worth a look-up. */
const MAX_TOKEN = 100;

export class OpenAccountLinkQuestion {
  @IsText(MAX_TOKEN)
  token: string;

  @IsIn(['never', 'if-never-sent', 'again'])
  sendCode: SendCode;
}

/** `valid` is false for a link that is unknown or past its life. Error: TOO_MANY_ATTEMPTS. */
export type AccountLinkState = { valid: false } | ({ valid: true } & LinkCode);

export class CheckAccountCodeQuestion {
  @IsText(MAX_TOKEN)
  token: string;

  @Matches(/^\d{6}$/)
  code: string;
}

/** Whose account a page shows: what the user owes for orders of that wholesaler. */
export interface CheckedAccountCode {
  userId: string;
  /** Of a visit; absent in the answers of a release before. */
  cornerStoreId?: string;
  wholesalerId: string;
  wholesaler: string;
}

export class DebtsQuestion {
  @IsUUID()
  userId: string;

  @IsUUID()
  wholesalerId: string;
}

export interface DebtsAnswer {
  /** Open ones by their last day, then the newest paid ones. */
  debts: PaymentAnswer[];
  /** Open ones that are not listed, in pesos; absent where all are. */
  unlisted?: { debts: number; amountDue: number; overdueAmount: number };
  timeZone: string;
}

/** For accounts: the page "Mi cuenta" and its two buttons. Error: TOO_MANY_ATTEMPTS. */
export const openAccountLinkCall = defineCall<OpenAccountLinkQuestion, AccountLinkState>(
  '/internal/account-links/open',
  OpenAccountLinkQuestion,
);

/** For accounts. Errors: VERIFICATION_NOT_VALID, TOO_MANY_ATTEMPTS. */
export const checkAccountCodeCall = defineCall<CheckAccountCodeQuestion, CheckedAccountCode>(
  '/internal/account-links/check',
  CheckAccountCodeQuestion,
);

/** For payments. */
export const debtsCall = defineCall<DebtsQuestion, DebtsAnswer>('/internal/debts', DebtsQuestion);
