import { ops } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { TAX_PROFILE_PURPOSE } from '@fiado/contracts/tax-profile';
import { issueDueInvoices } from '../../src/invoices/issue-invoice';
import { issueDueDocuments } from '../../src/tax-documents/issue-tax-documents';
import { INVOICE, startFacturapi, type Facturapi } from './facturapi';
import { orderOnHold } from './orders';
import { startTransactions, type CornerStore, type TransactionsService } from './transactions';

export interface Invoiced {
  store: CornerStore;
  /** Of the order. */
  id: string;
}

export const ISSUER = {
  provider: 'facturapi',
  apiKey: 'sk_test_north1234',
  receiptPaymentForm: '01',
};

/** Settings of a service whose wholesalers share one key. */
export const SHARED = { INVOICE_PROVIDER: 'facturapi', FACTURAPI_KEY: 'sk_test_1' };

/** Of a taxpayer that the stand-in of Facturapi knows. */
const PROFILE = {
  rfc: 'LULU800101AB1',
  legalName: 'GUADALUPE LUNA LUNA',
  taxRegime: '626',
  postalCode: '06000',
  cfdiUse: 'G01',
};

export type Invoicing = Awaited<ReturnType<typeof startInvoicing>>;

/**
 * A service whose wholesalers have issuers of their own at a stand-in of Facturapi.
 * @param settings further ones of the service
 */
export async function startInvoicing(settings: Record<string, string> = {}) {
  const facturapi: Facturapi = await startFacturapi();
  const { FACTURAPI_BASE_URL = '' } = facturapi.config;
  const config = { FACTURAPI_BASE_URL, INVOICE_PROVIDER: 'none', ...settings };
  const transactions: TransactionsService = await startTransactions(config);
  const call = (
    { store, id }: Invoiced,
    method: 'GET' | 'POST' | 'PUT',
    path = '',
    body?: object,
  ) => transactions.call(store.caller, method, `/v1/transaction/${id}${path}`, body && { body });
  const read = async (order: Invoiced) => (await call(order, 'GET', '/invoice')).body;
  const setIssuer = ({ caller }: CornerStore, changes: object = {}, by = ops()) =>
    transactions.call(by, 'PUT', `/v1/admin/wholesalers/${caller.id}/invoice-issuer`, {
      body: { ...ISSUER, ...changes },
    });
  return {
    facturapi,
    transactions,
    call,
    read,
    setIssuer,
    stop: async () => {
      await transactions.stop();
      await facturapi.stop();
    },
    giveProfile: ({ userId }: CornerStore, changes: object = {}) => {
      const profile = JSON.stringify({ ...PROFILE, ...changes });
      const sealed = transactions.context.sealer.seal(profile, TAX_PROFILE_PURPOSE, userId);
      transactions.accounts.taxProfiles.set(userId, sealed.toString('base64'));
    },
    /** A store of a wholesaler with an issuer. */
    createStore: async (issuer: object = {}): Promise<CornerStore> => {
      const store = await transactions.createCornerStore();
      expect((await setIssuer(store, issuer)).status).toBe(200);
      return store;
    },
    /** An order with an invoice, once it was tried. */
    invoice: async (store: CornerStore, changes: object = {}): Promise<Invoiced> => {
      const { transactionId: id } = await orderOnHold(transactions, store);
      const order = { store, id };
      const created = await call(order, 'POST', '/invoice', {
        invoice: { ...INVOICE, ...changes },
      });
      expect(created.status).toBe(201);
      await until('it was tried', async () => {
        const { status, lastError } = await read(order);
        return status !== 'pending' || lastError !== null;
      });
      return order;
    },
    /** Invoices the whole of an order, and waits for it. @returns its uuid */
    invoiceWhole: async (
      store: CornerStore,
      id: string,
      { amount, taxes }: { amount: number; taxes?: object[] },
    ): Promise<string> => {
      const order = { store, id };
      const [line] = INVOICE.products;
      const product = { ...line?.product, price: amount, ...(taxes && { taxes }) };
      const invoice = { discount: 0, products: [{ ...line, product }] };
      expect((await call(order, 'POST', '/invoice', { invoice })).status).toBe(201);
      await until('it is issued', async () => (await read(order)).status === 'issued');
      return (await read(order)).uuid;
    },
    /** Makes rounds until nothing waits for the provider. */
    settleAll: () =>
      until('nothing waits', async () => {
        await transactions.rows(`UPDATE tax_documents SET next_attempt_at = now()`);
        await issueDueInvoices(transactions.context);
        await issueDueDocuments(transactions.context);
        const waiting = await transactions.rows(
          `SELECT id FROM invoices WHERE status = 'pending' OR cancellation = 'requested'
            UNION ALL SELECT id FROM tax_documents
                       WHERE status = 'pending' OR status = 'issued' AND cancellation = 'requested'`,
        );
        return waiting.length === 0;
      }),
    /** Makes the next attempt due, and a round. */
    tryAgain: async ({ id }: Invoiced): Promise<void> => {
      await transactions.rows(
        'UPDATE invoices SET next_attempt_at = now() WHERE transaction_id = $1',
        [id],
      );
      await issueDueInvoices(transactions.context);
    },
  };
}
