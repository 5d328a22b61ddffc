import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { createWholesaler } from '../use-cases/create-wholesaler';
import { exampleKey } from './examples';
import {
  exampleWholesaler,
  MAX_NAME,
  presentWholesaler,
  settingsOf,
  wholesalerFields,
  WholesalerSettingsBody,
} from './wholesaler';

class CreateWholesalerBody extends WholesalerSettingsBody {
  @IsNonEmptyText(MAX_NAME)
  name: string;
}

export const createWholesalerEndpoint = endpoint({
  id: 'createWholesaler',
  tag: 'Ops: wholesalers',
  route: 'POST /v1/admin/wholesalers',
  scope: 'admin',
  summary: 'Create a wholesaler and its first key',
  body: CreateWholesalerBody,
  bodyExample: { name: 'Abarrotes del Norte', paymentTermDays: 14 },
  mayWait: true,
  status: 201,
  answer: t.object('CreatedWholesaler', { ...wholesalerFields, apiKeyId: t.uuid, apiKey: t.text }),
  example: { ...exampleWholesaler, ...exampleKey },
  input: ({ body, caller: by }) => ({ by, name: body.name, settings: settingsOf(body) }),
  handle: createWholesaler,
  present: ({ wholesaler, key: { apiKeyId, apiKey } }) => ({
    ...presentWholesaler(wholesaler),
    apiKeyId,
    apiKey,
  }),
});
