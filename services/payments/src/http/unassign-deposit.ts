import { endpoint } from '@fiado/chassis/http/endpoint';
import { openChange } from '@fiado/chassis/openapi/change-requested';
import { unassignDeposit } from '../use-cases/unassign-deposit';
import { depositAnswer, exampleDeposit, presentDeposit } from './deposit-answer';
import { ReasonBody } from './reason-body';

export const unassignDepositEndpoint = endpoint({
  id: 'unassignDeposit',
  tag: 'Ops: payments',
  route: 'POST /v1/admin/deposits/:depositId/unassign',
  scope: 'approver',
  summary: 'Take a deposit away from the wrong corner store',
  description:
    'The debts that it paid are open again, its surplus leaves the credit balance, and the deposit ' +
    'is unmatched again. Then assign it to the right store. What the store already spent or was ' +
    'paid out, it owes. A person’s request waits for a second person: 202.',
  body: ReasonBody,
  bodyExample: { reason: 'The payer is another store of that name' },
  mayWait: true,
  errorFields: { CHANGE_ALREADY_REQUESTED: openChange },
  errors: ['CHANGE_ALREADY_REQUESTED', 'DEPOSIT_NOT_FOUND', 'DEPOSIT_IS_NOT_ASSIGNED'],
  answer: depositAnswer,
  example: { ...exampleDeposit, reason: 'unassigned' },
  input: ({ body, id, caller: by }) => ({
    reason: body.reason,
    depositId: id('depositId', 'DEPOSIT_NOT_FOUND'),
    by,
  }),
  handle: unassignDeposit,
  present: presentDeposit,
});
