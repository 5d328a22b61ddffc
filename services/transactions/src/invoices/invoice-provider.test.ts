import type { Logger } from '@fiado/chassis/logger';
import { TransactionsConfig } from '../config';
import { invoiceProviderOf } from './invoice-provider';

it.each([
  ['sandbox', undefined, 'local', 0],
  ['production', undefined, undefined, 0],
  ['production', 'none', undefined, 0],
  ['production', 'facturapi', 'facturapi', 0],
  // The next release refuses it.
  ['production', 'local', 'local', 1],
] as const)('in %s with INVOICE_PROVIDER %s the issuer is %s', (mode, provider, name, warnings) => {
  const warn = jest.fn();
  const config = Object.assign(new TransactionsConfig(), {
    FIADO_MODE: mode,
    INVOICE_PROVIDER: provider,
    FACTURAPI_KEY: 'sk_test_key',
  });
  expect(invoiceProviderOf(config, { warn } as unknown as Logger)?.name).toBe(name);
  expect(warn).toHaveBeenCalledTimes(warnings);
});
