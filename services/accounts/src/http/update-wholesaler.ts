import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsOptional } from 'class-validator';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { openChange } from '@fiado/chassis/openapi/change-requested';
import { updateWholesaler } from '../use-cases/update-wholesaler';
import {
  exampleWholesaler,
  MAX_NAME,
  presentWholesaler,
  settingsOf,
  wholesalerAnswer,
  WholesalerSettingsBody,
} from './wholesaler';

class UpdateWholesalerBody extends WholesalerSettingsBody {
  @IsOptional()
  @IsNonEmptyText(MAX_NAME)
  name?: string;
}

export const updateWholesalerEndpoint = endpoint({
  id: 'updateWholesaler',
  tag: 'Ops: wholesalers',
  route: 'PUT /v1/admin/wholesalers/:wholesalerId',
  scope: 'admin',
  summary: 'Change the settings of a wholesaler',
  description:
    'Omitted fields keep their value. `deliveryWordRequired` is refused while ' +
    '`deliveryWordEnabled` is false. `phoneChangeHold`: a wholesaler that changes the phone number ' +
    'of a store may not place large orders for it for 24 hours, where other wholesalers sell to the ' +
    'store too (`shared`), always or never. `batchEnabled` false, or `batchItemsPerDay` reached (0 is ' +
    'no limit), rejects items of createTransactions.',
  body: UpdateWholesalerBody,
  bodyExample: { deliveryWordRequired: true },
  mayWait: true,
  errors: ['WHOLESALER_NOT_FOUND', 'CHANGE_ALREADY_REQUESTED'],
  errorFields: { CHANGE_ALREADY_REQUESTED: openChange },
  answer: wholesalerAnswer,
  example: { ...exampleWholesaler, deliveryWordRequired: true },
  input: ({ body, id, caller: by }) => ({
    by,
    wholesalerId: id('wholesalerId', 'WHOLESALER_NOT_FOUND'),
    changes: {
      ...settingsOf(body),
      ...(body.name === undefined ? {} : { name: body.name }),
    },
  }),
  handle: updateWholesaler,
  present: presentWholesaler,
});
