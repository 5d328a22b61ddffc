import type { Api } from '../../e2e/support/api';
import type { Store, Wholesaler } from '../../e2e/support/story';

/** Makes a store a customer of another wholesaler too. */
export async function share(
  system: Api,
  { externalId, phone: phoneNumber }: Store,
  { wholesalerId }: Wholesaler,
): Promise<void> {
  const customer = {
    externalId,
    firstName: 'Lucía',
    lastNames: 'Ortega',
    phoneNumber,
    creditLimit: 10_000,
    interestRate: 0.05,
  };
  const path = `/admin/wholesalers/${wholesalerId}/customers`;
  const imported = await system.call(system.opsKey, 'POST', path, {
    body: { customers: [customer] },
  });
  expect(imported.status).toBe(201);
}
