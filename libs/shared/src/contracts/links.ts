import { IsIn, IsString, IsUUID, MaxLength } from 'class-validator';

const SEND_CODE = ['never', 'if-never-sent', 'again'] as const;
export type SendCode = (typeof SEND_CODE)[number];

/** POST /internal/links/open of transactions: called for the page, and for its two buttons. */
export class OpenLinkQuestion {
  @IsUUID()
  transactionId: string;

  /** Looking at the page never sends the code; its buttons do, for the first time and again. */
  @IsIn(SEND_CODE)
  sendCode: SendCode;
}

/** What the page may show to a visitor with the link. Errors: TRANSACTION_NOT_FOUND, TOO_MANY_ATTEMPTS. */
export type LinkState =
  | { state: 'waiting'; phoneMasked: string; codeSent: boolean }
  | { state: 'confirmed' }
  | { state: 'ended' };

/** POST /internal/links/confirm of transactions. */
export class ConfirmLinkQuestion {
  @IsUUID()
  transactionId: string;

  @IsString()
  @MaxLength(20)
  code: string;
}

/** What the page may show to a visitor who also has the code. */
export interface ConfirmedLink {
  wholesaler: string;
  amountCents: number;
}
