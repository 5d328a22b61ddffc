import { IsBoolean, IsIn, IsUUID, Matches } from './class-validator';
import { IsText } from './decorators';
import type { PaymentAnswer } from './debts';
import { defineCall } from './define';
import type { LinkCode, LinkedOrder } from './links';

/** A token has 43 characters; what is longer is none, and not worth a look-up. */
const MAX_TOKEN = 100;
/** An IPv6 address with an IPv4 part has 45 characters. */
const MAX_ADDRESS = 64;

export class StartVisitQuestion {
  /** E.164. */
  @Matches(/^\+[1-9]\d{1,14}$/)
  phone: string;

  /** Address of the browser, for its budget. */
  @IsText(MAX_ADDRESS)
  address: string;
}

export class OpenVisitQuestion {
  @IsText(MAX_TOKEN)
  token: string;

  @IsIn(['never', 'again'])
  sendCode: 'never' | 'again';
}

export class CheckVisitCodeQuestion {
  @IsText(MAX_TOKEN)
  token: string;

  @Matches(/^\d{6}$/)
  code: string;
}

/** An account on the page: the debts of the user at one wholesaler. */
export interface CheckedAccount {
  userId: string;
  /** Absent in the answers of a release before. */
  cornerStoreId?: string;
  wholesalerId: string;
  wholesaler: string;
}

/**
 * waiting: the code was not typed yet. open: it was, and these are the wholesalers whose debts the
 * visitor may see. A visit that is unknown or over is `ended`.
 */
export type VisitState =
  | { state: 'ended' }
  | ({ state: 'waiting' } & LinkCode)
  | {
      state: 'open';
      accounts: CheckedAccount[];
      /** Whether the owner agreed to WhatsApp at this number; absent where the lender has none. */
      whatsapp?: 'agreed' | 'offered';
    };

/**
 * For accounts: the owner of a store asks for a code with their number. The answer is the same for
 * a number that no user has. Error: TOO_MANY_ATTEMPTS.
 */
export const startVisitCall = defineCall<{ token: string }>()(
  '/internal/account-visits/start',
  StartVisitQuestion,
);

/** For accounts: the page, and its button for another SMS. Error: TOO_MANY_ATTEMPTS. */
export const openVisitCall = defineCall<VisitState>()(
  '/internal/account-visits/open',
  OpenVisitQuestion,
);

/** For accounts. Errors: VERIFICATION_NOT_VALID, TOO_MANY_ATTEMPTS. */
export const checkVisitCodeCall = defineCall<object>()(
  '/internal/account-visits/check',
  CheckVisitCodeQuestion,
);

class WhatsappQuestion {
  @IsText(MAX_TOKEN)
  token: string;

  /** false: takes the consent back. */
  @IsBoolean()
  agrees: boolean;
}

/** For accounts: the visitor agrees to messages by WhatsApp, or no longer. Error: VERIFICATION_NOT_VALID. */
export const whatsappConsentCall = defineCall<object>()(
  '/internal/account-visits/whatsapp',
  WhatsappQuestion,
);

class StoreAtWholesalerQuestion {
  @IsUUID()
  cornerStoreId: string;

  @IsUUID()
  wholesalerId: string;
}

/** An order that was confirmed, by a link or through a seller, and waits for its delivery. */
export interface AwaitedOrder {
  transactionId: string;
  order: LinkedOrder;
}

/** For transactions. */
export const awaitedOrdersCall = defineCall<{ orders: AwaitedOrder[] }>()(
  '/internal/awaited-orders',
  StoreAtWholesalerQuestion,
);

/** An order that was delivered in the last two days, and that its store may deny. */
export interface RecentDelivery {
  transactionId: string;
  wholesaler: string;
  /** What the store owes for it, in pesos. */
  amount: number;
  deliveredAt: string;
  /** Of the store. Absent in the answers of a release before. */
  timeZone?: string;
  /** Whether the store has denied it, and the lender has not decided. */
  isDisputed: boolean;
}

/** For transactions: the deliveries that a store may deny. */
export const recentDeliveriesCall = defineCall<{ deliveries: RecentDelivery[] }>()(
  '/internal/recent-deliveries',
  StoreAtWholesalerQuestion,
);

class DenyDeliveryQuestion extends StoreAtWholesalerQuestion {
  @IsUUID()
  transactionId: string;
}

/**
 * For transactions: the store says that a delivery is not its own. `isNoted` is false where the store has to call the
 * lender. Error: TRANSACTION_NOT_FOUND.
 */
export const denyDeliveryCall = defineCall<{ isNoted: boolean }>()(
  '/internal/deny-delivery',
  DenyDeliveryQuestion,
);

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

/** For payments. */
export const debtsCall = defineCall<DebtsAnswer>()('/internal/debts', DebtsQuestion);
