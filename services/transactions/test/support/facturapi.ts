import { startStandIn, type StandIn, type StandInAnswer } from '@fiado/chassis/testing/stand-in';
import { FacturapiInvoices } from './facturapi-invoices';
import { satTotalCents, type SentItem } from './sat';

/** An answer of the stand-in in the place of its own. */
export interface ProviderAnswer {
  status: number;
  body?: object;
  headers?: Record<string, string>;
  /** The receipt is made or cancelled before this answer. */
  afterwards?: true;
}

interface ProviderCall {
  route: string;
  /** The secret key of the organization. */
  key: string;
  body: Record<string, unknown>;
}

/**
 * A stand-in for the receipts of Facturapi. What it does, and what that was taken from (github.com/FacturAPI/facturapi-docs):
 *
 * - one receipt for each `idempotency_key`: API document, createReceipt;
 * - its states, and that one which was invoiced is not cancelled: guide of receipts, cancelReceipt. That a second cancellation is a
 *   400 is an assumption, which the product does not rely on;
 * - a receipt belongs to the organization of its secret key, another one gets a 404: API document, authentication;
 * - the payment form 99 is refused, as it needs the payment method PPD, which a receipt has not: SAT, CFDI40124;
 * - a price with `tax_included: false` has no taxes in it: guide of products;
 * - IEPS is a part of the base of the other taxes, and `base` of a quota is its units: API document, `ieps_mode` (`sum_before_taxes`);
 * - the total is that of SAT for the lines: `sat.ts`;
 * - 429 with `Retry-After`: guide of rate limits. 202 with `pending`: guide of async invoices. A test gives these in `answers`.
 *
 * It keeps what it is sent.
 */
export interface Facturapi extends Pick<StandIn, 'stop'> {
  /** Settings of a service that issues its invoices here. */
  config: Record<string, string>;
  calls: ProviderCall[];
  answers: ProviderAnswer[];
  invoices: FacturapiInvoices;
  /** Status of each receipt, by its id. */
  receipts: Map<string, ReceiptStatus>;
  /** Forgets the calls, the answers and the receipts. */
  reset(): void;
}

type ReceiptStatus = 'open' | 'canceled' | 'invoiced_to_customer' | 'invoiced_globally';

export const RECEIPT = {
  id: 'rec_1',
  status: 'open',
  self_invoice_url: 'https://factura.space/demo/rx5WApXR',
};

interface Sent extends Record<string, unknown> {
  idempotency_key?: string;
  items?: SentItem[];
}

export async function startFacturapi(): Promise<Facturapi> {
  const invoices = new FacturapiInvoices();
  const calls: ProviderCall[] = [];
  const answers: ProviderAnswer[] = [];
  const receipts = new Map<string, ReceiptStatus>();
  const idsByKey = new Map<unknown, string>();
  const totals = new Map<string, number>();
  const owners = new Map<string, string>();

  const refused = (status: number): StandInAnswer => ({
    status,
    body: { message: 'No es válido', status },
  });
  const receiptOf = (id: string): StandInAnswer => ({
    body: { ...RECEIPT, id, status: receipts.get(id), total: totals.get(id) },
  });
  const create = (owner: string, { idempotency_key: sentKey, ...sent }: Sent): StandInAnswer => {
    const { items, payment_form: form } = sent;
    if (form === '99') return refused(400);
    const key = `${owner} ${String(sentKey)}`;
    const id = idsByKey.get(key) ?? `rec_${receipts.size + 1}`;
    idsByKey.set(key, id);
    owners.set(id, owner);
    totals.set(id, satTotalCents(items ?? []) / 100);
    if (!receipts.has(id)) receipts.set(id, 'open');
    return receiptOf(id);
  };
  const own = (owner: string, method: string, id: string, sent: Sent): StandInAnswer => {
    if (method === 'POST') return create(owner, sent);
    if (owners.get(id) !== owner) return refused(404);
    if (method === 'GET') return receiptOf(id);
    if (receipts.get(id) !== 'open') return refused(400);
    receipts.set(id, 'canceled');
    return receiptOf(id);
  };
  const server = await startStandIn(({ method, path, headers, body }) => {
    const sent = body === '' ? {} : (JSON.parse(body) as Sent);
    const key = headers.authorization?.replace('Bearer ', '') ?? '';
    calls.push({ route: `${method} ${path}`, key, body: sent });
    const given = answers.shift();
    const id = path.split('/').at(-1) ?? '';
    const answerItself = () =>
      path.startsWith('/v2/invoices')
        ? invoices.answer(key, method, path, sent)
        : own(key, method, id, sent);
    const answer = given === undefined || given.afterwards === true ? answerItself() : undefined;
    if (given === undefined) return answer;
    return given.body === undefined ? { ...given, ...refused(given.status) } : given;
  });
  return {
    config: {
      INVOICE_PROVIDER: 'facturapi',
      FACTURAPI_KEY: 'sk_test_1',
      FACTURAPI_BASE_URL: `${server.url}/v2`,
    },
    calls,
    answers,
    invoices,
    receipts,
    reset: () => {
      calls.length = 0;
      answers.length = 0;
      receipts.clear();
      idsByKey.clear();
      totals.clear();
      owners.clear();
      invoices.reset();
    },
    stop: server.stop,
  };
}

/** An invoice within the amount of AN_ORDER. */
export const INVOICE = {
  discount: 10,
  products: [
    {
      product: {
        description: 'Refresco 600 ml',
        price: 120,
        productKey: '50202306',
        sku: 'REF-600',
        taxes: [{ rate: 0.16, type: 'IVA' }],
        unitKey: 'H87',
      },
      quantity: 12,
    },
  ],
};
