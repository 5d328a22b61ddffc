/** What ops may change of a payment provider. */
export interface ProviderSettings {
  /** IANA name of the zone that its times without an offset belong to. */
  timeZone: string;
  /** Addresses and networks (CIDR) that may call with its keys; empty is any. */
  allowedAddresses: string[];
  signatureRequired: boolean;
}

export interface PaymentProvider extends ProviderSettings {
  id: string;
  name: string;
}
