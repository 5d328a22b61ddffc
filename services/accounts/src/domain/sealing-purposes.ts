import { PHONE_PURPOSE } from '@fiado/shared/contracts/jobs/send-message';

/** One purpose for each sealed column, so that a value moved to another does not open. */
export const PURPOSE = {
  firstName: 'first-name',
  lastNames: 'last-names',
  phone: PHONE_PURPOSE,
  latitude: 'latitude',
  longitude: 'longitude',
  contacts: 'contacts',
  cornerStoreName: 'corner-store-name',
  information: 'corner-store-information',
} as const;

/** An image opens under its own document's id only, so that files cannot be exchanged. */
export function documentPurpose(documentId: string): string {
  return `document ${documentId}`;
}
