import type { PaymentsService } from './service';

/** The entries for the audit log about an object that payments has sent to accounts: actor, action and details, oldest first. */
export async function auditedOf(payments: PaymentsService, objectId: string): Promise<object[]> {
  const rows = await payments.outbox('audit.recorded');
  return rows
    .map(({ data }) => data as Record<string, unknown>)
    .filter((entry) => entry['objectId'] === objectId)
    .map(({ objectId: _object, ...entry }) => entry);
}
