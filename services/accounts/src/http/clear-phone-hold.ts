import { endpoint } from '@fiado/shared/chassis/http/endpoint';
import { clearPhoneHold } from '../use-cases/clear-phone-hold';
import {
  cornerStoreDetails,
  exampleDetails,
  presentCornerStoreDetails,
} from './corner-store-details';

export const clearPhoneHoldEndpoint = endpoint({
  id: 'clearPhoneHold',
  tag: 'Ops: corner stores',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/clear-phone-hold',
  scope: 'operator',
  summary: 'Clear the hold after a phone number change',
  description:
    'A wholesaler that changes the phone number of a store may not place large orders or batch ' +
    'items for it for 24 hours: `phoneHeldUntil` of its link. Ask the owner of the store before ' +
    'you clear the hold.',
  errors: ['CORNER_STORE_NOT_FOUND'],
  answer: cornerStoreDetails,
  example: { ...exampleDetails, status: 'approved' },
  input: ({ id, caller: by }) => ({
    by,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  handle: clearPhoneHold,
  present: presentCornerStoreDetails,
});
