import { printPhone } from '@fiado/contracts/phone';
import type { GatewayConfig } from '../config';

/** Who gives the credit, and where to ask. */
export interface Lender {
  name: string;
  /** As a phone dials it. */
  phone: string;
  /** As people write it. */
  printedPhone: string;
  privacyUrl: string;
  /** Of the notice at that URL. */
  privacyVersion: string;
}

export function lenderOf(config: GatewayConfig): Lender {
  return {
    name: config.LENDER_NAME,
    phone: config.SUPPORT_PHONE.replaceAll(' ', ''),
    printedPhone: printPhone(config.SUPPORT_PHONE, config.PHONE_REGION),
    privacyUrl: config.PRIVACY_URL,
    privacyVersion: config.PRIVACY_VERSION,
  };
}
