import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { TAX_PROFILE_PURPOSE } from '@fiado/contracts/tax-profile';

/**
 * One purpose for each sealed column, so that a value moved to another does not open. A phone of a user
 * is bound to its corner store, because it goes to transactions as it is; all else to its own row.
 */
export const PURPOSE = {
  firstName: 'first-name',
  lastNames: 'last-names',
  phone: PHONE_PURPOSE,
  latitude: 'latitude',
  longitude: 'longitude',
  contacts: 'contacts',
  taxProfile: TAX_PROFILE_PURPOSE,
  cornerStoreName: 'corner-store-name',
  information: 'corner-store-information',
  document: 'document',
  signingSecret: 'signing-secret',
  importRows: 'import-rows',
  privacyPackage: 'privacy-package',
} as const;
