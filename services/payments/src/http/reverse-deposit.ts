import { endpoint } from '@fiado/chassis/http/endpoint';
import { reverseDeposit } from '../use-cases/reverse-deposit';
import { openChange } from '@fiado/chassis/openapi/change-requested';
import { depositAnswer, exampleDeposit, presentDeposit } from './deposit-answer';
import { ReasonBody } from './reason-body';

export const reverseDepositEndpoint = endpoint({
  id: 'reverseDeposit',
  tag: 'Ops: payments',
  route: 'POST /v1/admin/deposits/:depositId/reverse',
  scope: 'approver',
  summary: 'Reverse a deposit',
  description:
    'The debts that it paid are open again. A person’s request waits for a second person: 202.',
  body: ReasonBody,
  bodyExample: { reason: 'The provider sent it twice' },
  mayWait: true,
  errorFields: { CHANGE_ALREADY_REQUESTED: openChange },
  errors: ['CHANGE_ALREADY_REQUESTED', 'DEPOSIT_NOT_FOUND'],
  answer: depositAnswer,
  example: { ...exampleDeposit, status: 'reversed', reason: null },
  input: ({ body, id, caller: by }) => ({
    reason: body.reason,
    depositId: id('depositId', 'DEPOSIT_NOT_FOUND'),
    by,
  }),
  handle: reverseDeposit,
  present: presentDeposit,
});
