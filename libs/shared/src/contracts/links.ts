import { IsIn, IsString, IsUUID, MaxLength } from 'class-validator';

/** POST /internal/links/open of transactions: what the gateway's page asks when it is shown. */
export class OpenLinkQuestion {
  @IsUUID()
  transactionId: string;

  /** The first look sends the code, a look again does not, a wish does. */
  @IsIn(['if-never-sent', 'again'])
  sendCode: 'if-never-sent' | 'again';
}

/** What the page may show to whoever has the link. Errors: TRANSACTION_NOT_FOUND, TOO_MANY_ATTEMPTS. */
export type LinkState =
  | { state: 'waiting'; phoneMasked: string }
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

/** What the page may show to whoever has the code too. */
export interface ConfirmedLink {
  wholesaler: string;
  amountCents: number;
}
