/** What waits for ops, and the figures of today, as the API puts them together. */
export interface Overview {
  asOf: string;
  day: string;
  unavailable: string[];
  waiting: {
    storesInValidation: number;
    phonesHeld: number;
    unmatchedDeposits: number | null;
    failingWebhooks: number | null;
    disabledEndpoints: number | null;
    deadJobs: number;
    pendingChanges: number;
  };
  orders: {
    orders: number;
    totalAmount: number;
    hours: Array<{ startsAt: string; orders: number; totalAmount: number }>;
  } | null;
  payments: {
    deliveries: number;
    deliveredAmount: number;
    deposits: number;
    depositedAmount: number;
    outstandingAmount: number;
    par30: number | null;
    ageing: Array<{ days: string; receivables: number; amountDue: number }>;
  } | null;
  messages: { sent: number; failed: number; pending: number } | null;
}
