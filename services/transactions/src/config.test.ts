import { testKeyVariables } from '@fiado/chassis/testing/process-keys';
import { ConfigError, loadConfig } from '@fiado/chassis/config';
import { TransactionsConfig } from './config';

const SANDBOX = {
  DATABASE_URL: 'postgres://owner:secret@127.0.0.1:5432/fiado',
  ...testKeyVariables('transactions'),
  ENCRYPTION_KEY: 'encryption-key-0123456789-0123456789',
  CODE_PEPPER: 'code-pepper-0123456789-0123456789-ab',
};

describe('IVA_RATE', () => {
  it.each(['0', '0.16', '1', '1.000000'])('may be %s', (rate) => {
    expect(loadConfig(TransactionsConfig, { ...SANDBOX, IVA_RATE: rate }).IVA_RATE).toBe(rate);
  });

  it.each(['1.9', '16%', '-0.16', '0.1234567'])('may not be %s', (rate) => {
    expect(() => loadConfig(TransactionsConfig, { ...SANDBOX, IVA_RATE: rate })).toThrow(
      new ConfigError(['IVA_RATE: must be a decimal from 0 to 1 with at most 6 decimals']),
    );
  });
});
