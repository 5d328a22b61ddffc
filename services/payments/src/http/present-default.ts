import { amountOf } from '@fiado/shared/money';
import type { DefaultView } from '../db/default-information.repository';

/** A payment default record (spec, Resources). */
export interface PresentedDefault {
  userId: string;
  /** Pesos that were outstanding when the default was opened. */
  paymentDefaultAmount: number;
  paymentDefaultCreatedDate: string;
  /** Null until it is paid. */
  paymentDefaultPaidDate: string | null;
  externalId: string;
}

export function presentDefault(view: DefaultView): PresentedDefault {
  return {
    userId: view.userId,
    paymentDefaultAmount: amountOf(view.amountCents),
    paymentDefaultCreatedDate: view.openedAt.toISOString(),
    paymentDefaultPaidDate: view.paidAt?.toISOString() ?? null,
    externalId: view.externalId,
  };
}
