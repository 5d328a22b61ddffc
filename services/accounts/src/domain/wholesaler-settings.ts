import type { PhoneChangeHold } from '@fiado/shared/contracts/corner-store';

/** What ops sets for a wholesaler. Amounts in integer cents, rates as decimal strings. */
export interface WholesalerSettings {
  minimumTransactionCents: number;
  commissionRate: string;
  paymentTermDays: number;
  deliveryWordEnabled: boolean;
  deliveryWordRequired: boolean;
  confirmationRequired: boolean;
  deliveryOverageRate: string;
  /** SMS in 24 hours to numbers that no customer has; null: SMS_TO_UNKNOWN_PER_DAY. */
  smsToUnknownPerDay: number | null;
  phoneChangeHold: PhoneChangeHold;
  batchEnabled: boolean;
  /** Accepted items of createTransactions in a day of Mexico City; 0 is no limit. */
  batchItemsPerDay: number;
}

/** Problems of contradictory settings, one text for each. */
export function settingsProblems({
  deliveryWordEnabled,
  deliveryWordRequired,
}: Pick<WholesalerSettings, 'deliveryWordEnabled' | 'deliveryWordRequired'>): string[] {
  return deliveryWordRequired && !deliveryWordEnabled
    ? ['deliveryWordRequired must be false while deliveryWordEnabled is false']
    : [];
}

/** The default settings of a wholesaler. */
export const DEFAULT_SETTINGS: WholesalerSettings = {
  minimumTransactionCents: 10_000,
  commissionRate: '0.02',
  paymentTermDays: 14,
  deliveryWordEnabled: true,
  deliveryWordRequired: false,
  confirmationRequired: true,
  deliveryOverageRate: '0.10',
  smsToUnknownPerDay: null,
  phoneChangeHold: 'shared',
  batchEnabled: true,
  batchItemsPerDay: 0,
};
