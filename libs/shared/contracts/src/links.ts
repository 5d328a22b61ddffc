import { IsIn, IsUUID } from './class-validator';
import { IsText } from './decorators';
import { defineCall } from './define';

const SEND_CODE = ['never', 'if-never-sent', 'again'] as const;
export type SendCode = (typeof SEND_CODE)[number];

/** A pass is a SHA-256 in base64url: 43 characters. */
const MAX_PASS = 100;

export class OpenLinkQuestion {
  @IsUUID()
  transactionId: string;

  /** Looking at the page never sends the code; its buttons do, for the first time and again. */
  @IsIn(SEND_CODE)
  sendCode: SendCode;
}

/** `used-up`: no checks are left for this code; a new code has checks of its own. */
export type LinkCodeState = 'unsent' | 'valid' | 'expired' | 'used-up';

/** The code of a link, as its page shows it. */
export interface LinkCode {
  phoneMasked: string;
  code: LinkCodeState;
  /** Checks that are left for the code that was sent. Absent in answers of 1.0.0. */
  checksLeft?: number;
}

/** An order as its page shows it. Amounts in pesos, as in the API's transaction resource. */
export interface LinkedOrder {
  wholesaler: string;
  products: Array<{ name: string; quantity: number }>;
  /** Absent in answers of 1.0.0; null for an order that was delivered with it. */
  orderedAmount?: number | null;
  totalAmount: number;
  interests: number;
  IVAAmount: number;
  totalAmountWithInterests: number;
  /** ISO; a day in `timeZone`, the order's. An estimate before the delivery. */
  paymentDate: string;
  timeZone: string;
}

/** An order before its confirmation, with the rules of its delivery. */
export interface OrderToAccept extends LinkedOrder {
  /** The highest total, if more is delivered than ordered. Pesos. */
  maximumTotal: number;
  /** Days to pay, counted from the delivery. */
  paymentTermDays: number;
}

/**
 * What the page may show to a visitor with the link: nothing of an order before its owner confirmed
 * it. Errors: TRANSACTION_NOT_FOUND, TOO_MANY_ATTEMPTS.
 */
export type LinkState =
  | ({ state: 'waiting' } & LinkCode)
  | { state: 'confirmed' | 'delivered'; wholesalerId: string; order: LinkedOrder }
  | { state: 'paid' }
  | { state: 'ended' };

export class CheckLinkCodeQuestion {
  @IsUUID()
  transactionId: string;

  @IsText(20)
  code: string;
}

/** The order behind a right code, and the pass that accepts it as long as the code is valid. */
export interface CheckedLinkCode {
  pass: string;
  order: OrderToAccept;
}

export class AcceptLinkQuestion {
  @IsUUID()
  transactionId: string;

  @IsText(MAX_PASS)
  pass: string;
}

/**
 * For transactions: the page of an order, and its two buttons. Errors: TRANSACTION_NOT_FOUND,
 * TOO_MANY_ATTEMPTS.
 */
export const openLinkCall = defineCall<LinkState>()('/internal/links/open', OpenLinkQuestion);

/** For transactions. */
export const checkLinkCodeCall = defineCall<CheckedLinkCode>()(
  '/internal/links/check-code',
  CheckLinkCodeQuestion,
);

/** For transactions. */
export const acceptLinkCall = defineCall<object>()('/internal/links/accept', AcceptLinkQuestion);
