/** The services behind the gateway. Each has a schema, a queue and a port of its name. */
export const SERVICES = ['accounts', 'transactions', 'payments', 'notifier'] as const;
export type Service = (typeof SERVICES)[number];

/** The processes of Fiado. A token or a job names one as its sender and one as its receiver. */
export const PROCESS_NAMES = ['gateway', ...SERVICES] as const;
export type ProcessName = (typeof PROCESS_NAMES)[number];
