import { IsString } from 'class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { assignDeposit } from '../use-cases/assign-deposit';
import { openChange } from '@fiado/chassis/openapi/change-requested';
import { depositAnswer, exampleDeposit, presentDeposit } from './deposit-answer';

class AssignDepositBody {
  @IsString()
  cornerStoreId: string;
}

export const assignDepositEndpoint = endpoint({
  id: 'assignDeposit',
  tag: 'Ops: payments',
  route: 'POST /v1/admin/deposits/:depositId/assign',
  scope: 'operator',
  summary: 'Assign an unmatched deposit',
  description:
    'A corner store that never had a delivery has no debt to pay: `CORNER_STORE_NOT_FOUND`. ' +
    'When people assign more than 10,000 pesos to one corner store in 30 days, one at a time, a person’s ' +
    'request waits for a second person: 202.',
  body: AssignDepositBody,
  bodyExample: { cornerStoreId: '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33' },
  mayWait: true,
  errorFields: { CHANGE_ALREADY_REQUESTED: openChange },
  errors: [
    'CHANGE_ALREADY_REQUESTED',
    'DEPOSIT_NOT_FOUND',
    'CORNER_STORE_NOT_FOUND',
    'DEPOSIT_IS_NOT_UNMATCHED',
  ],
  answer: depositAnswer,
  example: { ...exampleDeposit, status: 'applied', reason: null },
  input: ({ body, id, caller: by }) => ({
    cornerStoreId: body.cornerStoreId,
    depositId: id('depositId', 'DEPOSIT_NOT_FOUND'),
    by,
  }),
  handle: assignDeposit,
  present: presentDeposit,
});
