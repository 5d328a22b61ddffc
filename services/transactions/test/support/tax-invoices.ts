import { ops } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { TAX_PROFILE_PURPOSE } from '@fiado/contracts/tax-profile';
import { INVOICE } from './facturapi';
import type { CornerStore, TransactionsService } from './transactions';

/** Of a taxpayer that the stand-in of Facturapi knows. */
const PROFILE = {
  rfc: 'LULU800101AB1',
  legalName: 'GUADALUPE LUNA LUNA',
  taxRegime: '626',
  postalCode: '06000',
  cfdiUse: 'G01',
};

export function giveProfile(
  transactions: TransactionsService,
  { userId }: CornerStore,
  changes: object = {},
): void {
  const profile = JSON.stringify({ ...PROFILE, ...changes });
  const sealed = transactions.context.sealer.seal(profile, TAX_PROFILE_PURPOSE, userId);
  transactions.accounts.taxProfiles.set(userId, sealed.toString('base64'));
}

export async function setIssuer(
  transactions: TransactionsService,
  { caller }: CornerStore,
): Promise<void> {
  const path = `/v1/admin/wholesalers/${caller.id}/invoice-issuer`;
  const body = { provider: 'facturapi', apiKey: 'sk_test_north1234', receiptPaymentForm: '01' };
  expect((await transactions.call(ops(), 'PUT', path, { body })).status).toBe(200);
}

/** Invoices the whole of an order, and waits for it. @returns its uuid */
export async function invoiceWhole(
  transactions: TransactionsService,
  { caller }: CornerStore,
  transactionId: string,
  { amount, taxes }: { amount: number; taxes?: object[] },
): Promise<string> {
  const path = `/v1/transaction/${transactionId}/invoice`;
  const [line] = INVOICE.products;
  const product = { ...line?.product, price: amount, ...(taxes && { taxes }) };
  const invoice = { discount: 0, products: [{ ...line, product }] };
  expect((await transactions.call(caller, 'POST', path, { body: { invoice } })).status).toBe(201);
  let uuid = '';
  await until('it is issued', async () => {
    const { body } = await transactions.call(caller, 'GET', path);
    uuid = body.uuid;
    return body.status === 'issued';
  });
  return uuid;
}
