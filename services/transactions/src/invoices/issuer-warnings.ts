import { queryOne } from '@fiado/chassis/db/query';
import { Loop } from '@fiado/chassis/loop';
import type { Foundation } from '@fiado/chassis/service';
import type { TransactionsConfig } from '../config';
import { type InvoiceProvider, SIMULATED } from './invoice-provider';

/** How often a setting that ends with the next release is warned of. */
const WARN_EVERY_MS = 3_600_000;

/** A loop that warns at the start and each hour of who issues invoices until the next release only. */
export function issuerWarnings({
  config,
  db,
  invoiceProvider,
  log,
}: Pick<Foundation<TransactionsConfig>, 'config' | 'db' | 'log'> & {
  invoiceProvider: InvoiceProvider | undefined;
}): Loop[] {
  const isSimulated = invoiceProvider?.name === SIMULATED;
  if (invoiceProvider === undefined) return [];
  if (isSimulated && config.FIADO_MODE !== 'production') return [];
  const round = async (): Promise<void> => {
    if (isSimulated) {
      log.warn(
        'INVOICE_PROVIDER=local issues no invoices: the next release refuses it in production',
      );
      return;
    }
    const { wholesalers } = await queryOne<{ wholesalers: number }>(
      db,
      `SELECT count(*)::integer AS wholesalers FROM wholesalers w
        WHERE NOT EXISTS (SELECT FROM invoice_issuers i WHERE i.wholesaler_id = w.wholesaler_id)`,
    );
    if (wholesalers === 0) return;
    log.warn(
      { wholesalers },
      'FACTURAPI_KEY issues the receipts of wholesalers without an issuer: the next release ends that',
    );
  };
  return [new Loop(log, { name: 'warn of issuers', everyMs: WARN_EVERY_MS, round })];
}
