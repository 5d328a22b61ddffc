import type { PaymentsService } from './service';

/** What people did with an object, as accounts is told: actor, action and details, the oldest first. */
export async function auditedOf(payments: PaymentsService, objectId: string): Promise<object[]> {
  const rows = await payments.outbox('audit.recorded');
  return rows
    .map(({ data }) => data as Record<string, unknown>)
    .filter((entry) => entry['objectId'] === objectId)
    .map(({ objectId: _object, ...entry }) => entry);
}
