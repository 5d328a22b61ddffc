import type { WholesalerSnapshot } from '@fiado/shared/contracts/corner-store';
import { amountOf } from '@fiado/shared/money';

/** A wholesaler as ops sees it: amounts in pesos, rates as numbers. */
export function presentWholesaler(wholesaler: WholesalerSnapshot): object {
  return {
    wholesalerId: wholesaler.wholesalerId,
    name: wholesaler.name,
    minimumTransactionAmount: amountOf(wholesaler.minimumTransactionCents),
    commissionRate: Number(wholesaler.commissionRate),
    paymentTermDays: wholesaler.paymentTermDays,
    deliveryWordEnabled: wholesaler.deliveryWordEnabled,
    deliveryWordRequired: wholesaler.deliveryWordRequired,
    confirmationRequired: wholesaler.confirmationRequired,
    deliveryOverageRate: Number(wholesaler.deliveryOverageRate),
  };
}
