/** The kinds of exports, by the service that has the rows. */
export const EXPORT_KINDS_OF = {
  transactions: ['orders', 'credit-notes', 'statement-lines', 'invoices'],
  payments: ['debts', 'deposits', 'ledger-entries'],
} as const;

export type ExportKind = (typeof EXPORT_KINDS_OF)[keyof typeof EXPORT_KINDS_OF][number];

export const EXPORT_KINDS: readonly ExportKind[] = Object.values(EXPORT_KINDS_OF).flat();

/** `csv` and `jsonl` are for programs, `people` is a CSV for a spreadsheet. */
export const EXPORT_FORMATS = ['csv', 'jsonl', 'people'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** `expired`: its file is deleted. */
export const EXPORT_STATUSES = ['waiting', 'running', 'ready', 'failed', 'expired'] as const;
export type ExportStatus = (typeof EXPORT_STATUSES)[number];

/** Path of a link to a file; the gateway asks for no credential there. */
export const DOWNLOADS_PATH = '/v1/downloads';
