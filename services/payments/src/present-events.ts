import type { EventPresenters, Written } from '@fiado/chassis/outbox/events';
import type { PaymentsConfig } from './config';
import { type PaymentView, presentPayment } from './debts/get-payment';
import { type DefaultView, presentDefault } from './defaults/get-default-information';
import { type DepositView, presentDepositState } from './deposits/deposit';
import { type OwnDeposit, presentOwnDeposit } from './deposits/own-deposit';

/** Which order it is about: the GET has it in its path, or does not show it. */
interface OfOrder {
  transactionId: string;
}

/** The objects of this service's events, from what the triggers of its schema wrote. */
export function paymentsEvents({ TIME_ZONE }: PaymentsConfig): EventPresenters {
  const presentWrittenPayment = (written: WrittenPayment, occurredAt: Date): object => ({
    transactionId: written.transactionId,
    ...presentPayment(paymentOf(written), occurredAt, TIME_ZONE),
  });
  return {
    'payment.applied': presentWrittenPayment,
    'payment.reversed': presentWrittenPayment,
    'default.opened': presentWrittenDefault,
    'default.closed': presentWrittenDefault,
    'default.withdrawn': presentWrittenDefault,
    'deposit.applied': presentWrittenDeposit,
    'deposit.unmatched': presentWrittenDeposit,
    'deposit.reversed': presentWrittenDeposit,
    'deposit.reversal-refused': presentRefusedReversal,
  };
}

type WrittenPayment = Written<PaymentView> & OfOrder;

function paymentOf({ transactionId: _path, ...written }: WrittenPayment): PaymentView {
  return { ...written, dueAt: new Date(written.dueAt), paidAt: momentOf(written.paidAt) };
}

function presentWrittenDefault({
  transactionId,
  ...written
}: Written<DefaultView> & OfOrder): object {
  const view = {
    ...written,
    openedAt: new Date(written.openedAt),
    paidAt: momentOf(written.paidAt),
  };
  return { transactionId, ...presentDefault(view) };
}

function presentWrittenDeposit(
  written: Written<Omit<DepositView, 'paidAt' | 'possibleDuplicateOf'>>,
): object {
  return presentDepositState({ ...written, receivedAt: new Date(written.receivedAt) });
}

function presentRefusedReversal(written: Written<OwnDeposit>): object {
  const { receivedAt, reversedAt } = written;
  return presentOwnDeposit({
    ...written,
    receivedAt: new Date(receivedAt),
    reversedAt: momentOf(reversedAt),
  });
}

function momentOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
