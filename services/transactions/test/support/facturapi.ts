import { startStandIn, type StandIn, type StandInAnswer } from '@fiado/chassis/testing/stand-in';

/** An answer of the stand-in in the place of its own. */
export interface ProviderAnswer {
  status: number;
  body?: object;
  /** The receipt is made or cancelled before this answer. */
  afterwards?: true;
}

interface ProviderCall {
  route: string;
  body: Record<string, unknown>;
}

/**
 * A stand-in for the receipts of Facturapi, by its public documentation: one receipt for each
 * idempotency key, whose total is that of its lines, and only an open one can be cancelled. It keeps what it is sent.
 */
export interface Facturapi extends Pick<StandIn, 'stop'> {
  /** Settings of a service that issues its invoices here. */
  config: Record<string, string>;
  calls: ProviderCall[];
  answers: ProviderAnswer[];
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
  items?: Array<{ quantity: number; discount: number; product: { price: number } }>;
}

/** Each line to the cent. */
function totalOf(items: NonNullable<Sent['items']>): number {
  const cents = items.map(({ quantity, discount, product: { price } }) =>
    Math.round(100 * (quantity * price - discount)),
  );
  return cents.reduce((sum, line) => sum + line, 0) / 100;
}

export async function startFacturapi(): Promise<Facturapi> {
  const calls: ProviderCall[] = [];
  const answers: ProviderAnswer[] = [];
  const receipts = new Map<string, ReceiptStatus>();
  const idsByKey = new Map<unknown, string>();
  const totals = new Map<string, number>();

  const refused = (status: number): StandInAnswer => ({
    status,
    body: { message: 'No es válido', status },
  });
  const receiptOf = (id: string): StandInAnswer => ({
    body: { ...RECEIPT, id, status: receipts.get(id), total: totals.get(id) },
  });
  const create = ({ idempotency_key: key, items }: Sent): StandInAnswer => {
    const id = idsByKey.get(key) ?? `rec_${receipts.size + 1}`;
    idsByKey.set(key, id);
    totals.set(id, totalOf(items ?? []));
    if (!receipts.has(id)) receipts.set(id, 'open');
    return receiptOf(id);
  };
  const own = (method: string, id: string, sent: Sent): StandInAnswer => {
    if (method === 'POST') return create(sent);
    if (!receipts.has(id)) return refused(404);
    if (method === 'GET') return receiptOf(id);
    if (receipts.get(id) !== 'open') return refused(400);
    receipts.set(id, 'canceled');
    return receiptOf(id);
  };
  const server = await startStandIn(({ method, path, body }) => {
    const sent = body === '' ? {} : (JSON.parse(body) as Sent);
    calls.push({ route: `${method} ${path}`, body: sent });
    const given = answers.shift();
    const id = path.split('/').at(-1) ?? '';
    const answer =
      given === undefined || given.afterwards === true ? own(method, id, sent) : undefined;
    if (given === undefined) return answer;
    return given.body === undefined ? refused(given.status) : given;
  });
  return {
    config: {
      INVOICE_PROVIDER: 'facturapi',
      FACTURAPI_KEY: 'sk_test_1',
      FACTURAPI_BASE_URL: `${server.url}/v2`,
    },
    calls,
    answers,
    receipts,
    reset: () => {
      calls.length = 0;
      answers.length = 0;
      receipts.clear();
      idsByKey.clear();
      totals.clear();
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
