import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';

/** The next answer of the stand-in; by default it issues the receipt. */
export interface ProviderAnswer {
  status: number;
  body?: object;
}

interface ProviderCall {
  route: string;
  body: Record<string, unknown>;
}

/** A stand-in for Facturapi that keeps what it is sent. */
export interface Facturapi extends Pick<StandIn, 'stop'> {
  /** Settings of a service that issues its invoices here. */
  config: Record<string, string>;
  calls: ProviderCall[];
  answers: ProviderAnswer[];
  /** Forgets the calls and the answers. */
  reset(): void;
}

export const RECEIPT = {
  id: 'rec_1',
  status: 'open',
  self_invoice_url: 'https://factura.space/demo/rx5WApXR',
};

export async function startFacturapi(): Promise<Facturapi> {
  const calls: ProviderCall[] = [];
  const answers: ProviderAnswer[] = [];
  const server = await startStandIn(({ method, path, body }) => {
    const sent = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
    calls.push({ route: `${method} ${path}`, body: sent });
    const { status, body: answer } = answers.shift() ?? { status: 200, body: RECEIPT };
    return { status, body: answer ?? { message: 'No es válido', status } };
  });
  return {
    config: {
      INVOICE_PROVIDER: 'facturapi',
      FACTURAPI_KEY: 'sk_test_1',
      FACTURAPI_BASE_URL: `${server.url}/v2`,
    },
    calls,
    answers,
    reset: () => {
      calls.length = 0;
      answers.length = 0;
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
