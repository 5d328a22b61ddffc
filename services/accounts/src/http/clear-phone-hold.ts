import { endpoint } from '@fiado/chassis/http/endpoint';
import { clearPhoneHold } from '../use-cases/clear-phone-hold';
import { cornerStoreChange } from './corner-store-details';

export const clearPhoneHoldEndpoint = endpoint({
  ...cornerStoreChange,
  id: 'clearPhoneHold',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/clear-phone-hold',
  scope: 'operator',
  summary: 'Clear the hold after a phone number change',
  description:
    'A wholesaler that changes the phone number of a store may not place large orders or batch ' +
    'items for it for 24 hours: `phoneHeldUntil` of its link. Ask the owner of the store before ' +
    'you clear the hold.',
  input: ({ id, caller: by }) => ({
    by,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  handle: clearPhoneHold,
});
