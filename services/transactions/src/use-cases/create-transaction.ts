import type { Keep } from '@fiado/shared/chassis/idempotency';
import type { OutboxRow } from '@fiado/shared/chassis/outbox/append';
import { AppError } from '@fiado/shared/contracts/errors';
import { PHONE_PURPOSE } from '@fiado/shared/contracts/jobs/send-message';
import { smsRows } from '@fiado/shared/chassis/outbox/sms-rows';
import { newId } from '@fiado/shared/new-id';
import { maskPhone } from '@fiado/shared/phone';
import { codeOf, newCodeSalt } from '@fiado/shared/verification/code';
import { CODE_LIFE_MS } from '@fiado/shared/verification/rules';
import type { Context } from '../context';
import { createTransactionWithHold } from '../db/create-transaction-with-hold';
import { findCreditTerms } from '../db/credit-terms.repository';
import type { CreditTerms } from '../domain/credit-terms';
import { onHoldExpiry, unconfirmedExpiry } from '../domain/expiry';
import type { NewTransaction, ProductLine } from '../domain/new-transaction';
import { paymentDueAt, priceOf } from '../domain/pricing';
import { mayChangeAfterRefresh, refusalsOf, type Refusal } from '../domain/refusal';
import { countAccepted } from '../metrics';
import { drawDeliveryWord } from '../steps/delivery-word-message';
import { refreshCreditTerms } from '../steps/refresh-credit-terms';

/** Looks after accounts was asked, for an order that others keep overtaking. */
const MAX_TRIES = 3;

export interface CreateTransaction {
  wholesalerId: string;
  cornerStoreId: string;
  amountCents: number;
  wholesalerTransactionId: string | undefined;
  deliveryDate: Date | undefined;
  products: ProductLine[];
  metadata: object | undefined;
  /**
   * Whether the code goes out at once (createTransaction) or when the order's page is opened
   * (createTransactionLink).
   */
  sendCode: 'now' | 'when-opened';
}

export interface CreatedTransaction {
  incrementalId: number;
  transactionId: string;
  verificationId: string;
  /** Masked: only the last digits are visible. */
  userPhoneNumber: string;
}

/**
 * A corner store buys on credit (createTransaction): checks, holds the credit, writes the order and
 * sends the code, in two round trips. Accepts from the local copy; refuses only after a call to
 * accounts.
 * @throws AppError the refusal, in the order of createTransaction's checks; DUPLICATED_TRANSACTION;
 *   SERVICE_UNAVAILABLE when accounts is unavailable and nothing is known of the store
 */
export async function createTransaction(
  context: Context,
  command: CreateTransaction,
  keep: Keep<CreatedTransaction>,
): Promise<CreatedTransaction> {
  const created = await create(context, command, keep);
  countAccepted(command.sendCode === 'now' ? 'order' : 'link');
  return created;
}

async function create(
  context: Context,
  command: CreateTransaction,
  keep: Keep<CreatedTransaction>,
): Promise<CreatedTransaction> {
  const first = await tryToCreate(context, command, keep);
  if (first.created !== undefined) return first.created;
  if (!mayChangeAfterRefresh(first.refusal)) throw new AppError(first.refusal);

  await refreshCreditTerms(context, command.wholesalerId, [command.cornerStoreId]).catch(
    (error: unknown) => {
      // accounts is unavailable: the local copy decides, if it has the store.
      if (first.refusal === 'CORNER_STORE_NOT_FOUND') throw error;
    },
  );
  for (let tries = 1; ; tries += 1) {
    const again = await tryToCreate(context, command, keep);
    if (again.created !== undefined) return again.created;
    // Lost to another order at the last moment: looked at anew, it may still fit.
    if (!again.raced || tries === MAX_TRIES) throw new AppError(again.refusal);
  }
}

type Attempt =
  | { created: CreatedTransaction; refusal?: undefined }
  | { created?: undefined; refusal: Refusal; raced: boolean };

async function tryToCreate(
  context: Context,
  command: CreateTransaction,
  keep: Keep<CreatedTransaction>,
): Promise<Attempt> {
  const { wholesalerId, cornerStoreId } = command;
  const terms = await findCreditTerms(context.db, wholesalerId, cornerStoreId);
  const [refusal] = refusalsOf(terms, command, context.config.TIME_ZONE);
  if (terms === undefined || refusal !== undefined) {
    return { refusal: refusal ?? 'CORNER_STORE_NOT_FOUND', raced: false };
  }

  const order = priceOrder(context, command, terms);
  const phone = context.sealer.open(terms.phoneSealed, PHONE_PURPOSE, cornerStoreId);
  const created: CreatedTransaction = {
    incrementalId: order.incrementalId,
    transactionId: order.id,
    verificationId: order.verification.id,
    userPhoneNumber: maskPhone(phone),
  };
  const held = await createTransactionWithHold(context.db, order, {
    ...messageOf(context, order, terms, phone),
    answer: keep(created),
  });
  // Between the look and the hold somebody else took the credit, or the terms changed.
  if (!held) return { refusal: 'CREDIT_LIMIT_EXCEEDED', raced: true };

  context.relay.wake();
  return { created };
}

function priceOrder(
  { config }: Context,
  command: CreateTransaction,
  terms: CreditTerms & { incrementalId: number },
): NewTransaction {
  const { now, interestRate, commissionRate, confirmationRequired } = terms;
  const sendNow = confirmationRequired && command.sendCode === 'now';
  const rates = { interestRate, commissionRate, ivaRate: config.IVA_RATE };
  return {
    ...command,
    ...rates,
    ...priceOf(command.amountCents, rates),
    id: newId(),
    incrementalId: terms.incrementalId,
    userId: terms.userId,
    phoneChanges: terms.phoneChanges,
    status: confirmationRequired ? 'pending-verification' : 'on-hold',
    movementDate: now,
    paymentDueAt: paymentDueAt(
      command.deliveryDate ?? now,
      terms.paymentTermDays,
      config.TIME_ZONE,
    ),
    expiresAt: confirmationRequired
      ? unconfirmedExpiry(now)
      : onHoldExpiry(now, command.deliveryDate),
    linked: command.sendCode === 'when-opened',
    products: command.products.map((product, position) => ({ ...product, position })),
    verification: {
      id: newId(),
      status: confirmationRequired ? 'pending' : 'approved',
      codeSalt: newCodeSalt(),
      sends: sendNow ? 1 : 0,
      expiresAt: sendNow ? new Date(now.getTime() + CODE_LIFE_MS) : now,
    },
  };
}

/** What the store is sent: the code to confirm with; without confirmation, the delivery word. */
function messageOf(
  context: Context,
  order: NewTransaction,
  terms: CreditTerms,
  phone: string,
): { wordSealed: Buffer | undefined; jobs: OutboxRow[] } {
  if (order.status === 'on-hold') {
    if (!terms.deliveryWordEnabled) return { wordSealed: undefined, jobs: [] };
    return drawDeliveryWord(context, { ...terms, id: order.id, wholesalerId: order.wholesalerId });
  }
  const { id, codeSalt, expiresAt, sends } = order.verification;
  if (sends === 0) return { wordSealed: undefined, jobs: [] };
  const jobs = smsRows(context.sealer, {
    template: 'order-code',
    phone,
    values: {
      code: codeOf(context.config.CODE_PEPPER, id, codeSalt),
      amountCents: order.amountCents,
      wholesaler: terms.wholesalerName,
    },
    wholesalerId: order.wholesalerId,
    subjectId: order.id,
    expiresAt,
  });
  return { wordSealed: undefined, jobs };
}
