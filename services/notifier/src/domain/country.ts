/**
 * Whether a phone's country is one of these. No calling code is the beginning of another one, so
 * the number's first digits tell.
 * @param phone E.164
 * @param callingCodes without plus
 */
export function isAllowedCountry(phone: string, callingCodes: string[]): boolean {
  return callingCodes.some((code) => phone.startsWith(`+${code}`));
}
