/** What ops sets for a wholesaler. Amounts in integer cents, rates as decimal strings. */
export interface WholesalerSettings {
  minimumTransactionCents: number;
  commissionRate: string;
  paymentTermDays: number;
  deliveryWordEnabled: boolean;
  deliveryWordRequired: boolean;
  confirmationRequired: boolean;
  deliveryOverageRate: string;
}

/** What is wrong with settings that contradict each other, one text for each problem. */
export function settingsProblems({
  deliveryWordEnabled,
  deliveryWordRequired,
}: Pick<WholesalerSettings, 'deliveryWordEnabled' | 'deliveryWordRequired'>): string[] {
  return deliveryWordRequired && !deliveryWordEnabled
    ? ['deliveryWordRequired must be false while deliveryWordEnabled is false']
    : [];
}

/** A wholesaler for whom ops says nothing else (design 3). */
export const DEFAULT_SETTINGS: WholesalerSettings = {
  minimumTransactionCents: 10_000,
  commissionRate: '0.02',
  paymentTermDays: 14,
  deliveryWordEnabled: true,
  deliveryWordRequired: false,
  confirmationRequired: true,
  deliveryOverageRate: '0.10',
};
