import { IsString, isUUID } from '@fiado/contracts/class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { requireSandbox } from '@fiado/chassis/service-config';
import { About } from '@fiado/contracts/about';
import { IsPositiveAmount } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { amountOf, centsOf } from '@fiado/contracts/money';
import { newId } from '@fiado/contracts/new-id';
import type { StoreAnswer } from '@fiado/chassis/idempotency';
import type { Context } from '../context';
import { getPayment } from '../debts/get-payment';
import { receivableFields } from '../debts/receivable';
import { noticeFields } from '../deposits/deposit';
import { paymentTimeTextOf } from '../deposits/deposit.rules';
import { type DepositNotice, recordDeposit } from '../deposits/record-deposit';

/** The payment provider of a sandbox's own deposits, which no key belongs to. */
const SANDBOX_PROVIDER_ID = '00000000-0000-4000-8000-000000000001';

const SANDBOX_PROVIDER = 'Sandbox';

class SandboxDepositBody {
  @IsString()
  transactionId: string;

  @About('Amount of the deposit; more than what is owed becomes the customer’s credit balance', 529)
  @IsPositiveAmount()
  amount: number;
}

const EXAMPLE_TRANSACTION = '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11';

export const createSandboxDepositEndpoint = endpoint({
  id: 'createSandboxDeposit',
  as: 'sandbox.createDeposit',
  tag: 'Sandbox',
  route: 'POST /v1/sandbox/deposits',
  scope: 'transactions:write',
  names: { transactionId: 'order' },
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
    transactionId: fields.transactionId,
    amount: t.field(t.pesos, 'Amount of the deposit', 529),
    idFactura: receivableFields.idFactura,
    claveDePago: noticeFields.claveDePago,
  }),
  example: { amount: 100 },
  input: (request, { config }: Context) => {
    requireSandbox(config);
    const { transactionId, amount } = request.body;
    if (!isUUID(transactionId)) throw new AppError('TRANSACTION_NOT_FOUND');
    return { wholesalerId: request.caller.id, transactionId, valorCents: centsOf(amount) };
  },
  // Deposits money for a wholesaler's delivered order, in a sandbox, as a payment provider
  // would: it is stored, and applied by the loop of deposits.
  handle: async (context: Context, input, answerOf: StoreAnswer<SandboxDeposit>) => {
    const { transactionId, valorCents } = input;
    const { idFactura } = await getPayment(context, input);
    const notice = sandboxNotice(context, { idFactura, numeroReferencia: '', valorCents });
    const { claveDePago } = notice;
    const deposit = { transactionId, idFactura, claveDePago, valorCents };
    await recordDeposit(context, notice, () => answerOf(deposit));
    return deposit;
  },
  present: ({ transactionId, valorCents, idFactura, claveDePago }) => ({
    transactionId,
    amount: amountOf(valorCents),
    idFactura,
    claveDePago,
  }),
});

interface SandboxDeposit {
  transactionId: string;
  idFactura: string;
  claveDePago: string;
  valorCents: number;
}

/** The notice of a deposit that nobody paid, as a payment provider would send it. */
export function sandboxNotice(
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  deposit: { idFactura: string; numeroReferencia: string; valorCents: number },
): DepositNotice {
  const paidAt = clock.now();
  const fechaPago = paymentTimeTextOf(paidAt, config.TIME_ZONE);
  const claveDePago = newId();
  return {
    ...deposit,
    paymentProviderId: SANDBOX_PROVIDER_ID,
    providerName: SANDBOX_PROVIDER,
    fechaPago,
    paidAt,
    isSigned: false,
    claveDePago,
    body: JSON.stringify({ ...deposit, fechaPago, claveDePago }),
  };
}
