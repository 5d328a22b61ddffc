/** The settings of a payment provider. */
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

/**
 * Whether changes accept calls that were refused before. An address counts as new unless the list names
 * it already, also where a network of the list contains it.
 */
export function isLooserProvider(
  before: ProviderSettings,
  {
    allowedAddresses = before.allowedAddresses,
    signatureRequired = before.signatureRequired,
  }: Partial<ProviderSettings>,
): boolean {
  const known = before.allowedAddresses;
  const isAnyAllowed = allowedAddresses.length === 0;
  const accepts = known.length > 0 && (isAnyAllowed || !isPartOf(allowedAddresses, known));
  return accepts || (before.signatureRequired && !signatureRequired);
}

function isPartOf(some: string[], all: string[]): boolean {
  return some.every((one) => all.includes(one));
}
