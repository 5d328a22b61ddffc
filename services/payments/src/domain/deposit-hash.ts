import { createHash } from 'node:crypto';

/** What makes two notices of a provider the same deposit. */
export interface DepositValues {
  idFactura: string;
  numeroReferencia: string;
  valorCents: number;
  /** As the provider wrote it. */
  fechaPago: string;
  claveDePago: string;
}

/** SHA-256 of the five values: 100.5 and 100.50 are the same, and an unknown field is no difference. */
export function depositHash(values: DepositValues): Buffer {
  const { idFactura, numeroReferencia, valorCents, fechaPago, claveDePago } = values;
  return createHash('sha256')
    .update(JSON.stringify([idFactura, numeroReferencia, valorCents, fechaPago, claveDePago]))
    .digest();
}
