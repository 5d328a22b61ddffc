import { IsString, isUUID } from 'class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { requireSandbox } from '@fiado/chassis/require-sandbox';
import { IsPositiveAmount } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { amountOf, centsOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { createSandboxDeposit } from '../use-cases/create-sandbox-deposit';
import { exampleNotice } from './deposit-answer';

class SandboxDepositBody {
  @IsString()
  transactionId: string;

  /** Pesos; more than what is owed becomes the customer’s credit balance. */
  @IsPositiveAmount()
  amount: number;
}

const EXAMPLE_TRANSACTION = '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11';

export const createSandboxDepositEndpoint = endpoint({
  id: 'createSandboxDeposit',
  tag: 'Sandbox',
  route: 'POST /v1/sandbox/deposits',
  scope: 'transactions:write',
  summary: 'Pay for a delivered transaction',
  description:
    'As a payment provider would: answered as soon as it is stored, and applied a moment later. In ' +
    'production this is a 404.',
  body: SandboxDepositBody,
  bodyExample: { transactionId: EXAMPLE_TRANSACTION, amount: 100 },
  errors: ['TRANSACTION_NOT_FOUND', 'RECEIVABLE_NOT_FOUND'],
  idempotent: true,
  status: 201,
  answer: t.object('SandboxDeposit', {
    transactionId: t.uuid,
    amount: t.pesos,
    idFactura: t.text,
    claveDePago: t.text,
  }),
  example: {
    transactionId: EXAMPLE_TRANSACTION,
    amount: 100,
    idFactura: exampleNotice.idFactura,
    claveDePago: exampleNotice.claveDePago,
  },
  input: (request, { config }: Context) => {
    requireSandbox(config);
    const { transactionId, amount } = request.body;
    if (!isUUID(transactionId)) throw new AppError('TRANSACTION_NOT_FOUND');
    return { wholesalerId: request.caller.id, transactionId, valorCents: centsOf(amount) };
  },
  handle: createSandboxDeposit,
  present: ({ transactionId, valorCents, idFactura, claveDePago }) => ({
    transactionId,
    amount: amountOf(valorCents),
    idFactura,
    claveDePago,
  }),
});
