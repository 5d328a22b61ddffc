import { waitFor, type Api } from './api';
import type { Person } from './console';

/** Asks for a higher limit on the page of a store. @returns the request's id */
export async function requestLimit(
  person: Person,
  cornerStoreId: string,
  creditLimit: number,
): Promise<string> {
  await person.goto(`/tiendas/${cornerStoreId}`);
  await person.page.getByLabel('Línea en pesos').fill(String(creditLimit));
  const [answer] = await Promise.all([
    person.page.waitForResponse((response) => response.request().method() === 'POST'),
    person.press('Guardar'),
  ]);
  expect(answer.status()).toBe(202);
  await person.page.waitForLoadState();
  expect(await person.text()).toContain('espera la aprobación de otra persona');
  const { body } = await person.call('GET', `/admin/corner-stores/${cornerStoreId}`);
  return body.cornerStore.pendingChange.changeRequestId;
}

/** A change request whose approval has had its effect. */
export function changeOf(system: Api, changeRequestId: string): Promise<Record<string, unknown>> {
  return waitFor(async () => {
    const { body } = await system.call(
      system.opsKey,
      'GET',
      `/admin/change-requests/${changeRequestId}`,
    );
    return body.status === 'pending' || body.status === 'approved' ? undefined : body;
  });
}

/** A corner store as ops sees it. */
export async function termsOf(
  system: Api,
  cornerStoreId: string,
): Promise<{ status: string; creditLimit: number }> {
  const { body } = await system.call(system.opsKey, 'GET', `/admin/corner-stores/${cornerStoreId}`);
  return body.cornerStore;
}
