import type { Database } from '@fiado/chassis/db/database';
import type { Logger } from '@fiado/chassis/logger';
import { TransactionsConfig } from '../config';
import { invoiceProviderOf } from './invoice-provider';
import { issuerWarnings } from './issuer-warnings';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it.each([
  ['sandbox', undefined, 'local', 0],
  ['production', undefined, undefined, 0],
  ['production', 'none', undefined, 0],
  // Its key is the lender's alone in the next release.
  ['production', 'facturapi', 'facturapi', 3],
  // The next release refuses it.
  ['production', 'local', 'local', 3],
] as const)(
  'in %s with INVOICE_PROVIDER %s the issuer is %s, and two hours have %d warnings',
  async (mode, provider, name, warnings) => {
    const config = Object.assign(new TransactionsConfig(), {
      FIADO_MODE: mode,
      INVOICE_PROVIDER: provider,
      FACTURAPI_KEY: 'sk_test_key',
    });
    const invoiceProvider = invoiceProviderOf(config);
    expect(invoiceProvider?.name).toBe(name);

    const warn = jest.fn();
    const log = { warn } as unknown as Logger;
    // One wholesaler has no issuer of its own.
    const found = { fields: [{ name: 'wholesalers' }], rows: [{ wholesalers: 1 }] };
    const db = { connection: { query: async () => found } } as unknown as Database;
    const warning = issuerWarnings({ config, db, invoiceProvider, log });
    for (const loop of warning) loop.start();
    await jest.advanceTimersByTimeAsync(2 * 3_600_000);
    expect(warn).toHaveBeenCalledTimes(warnings);
    const stopped = Promise.all(warning.map((loop) => loop.stop()));
    await jest.advanceTimersByTimeAsync(0);
    await stopped;
  },
);
