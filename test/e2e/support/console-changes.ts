import { waitFor, type Api } from './api';
import type { Person } from './console';

/** Asks for a higher limit on the page of a store. @returns the request's id */
export async function requestLimit(
  person: Person,
  cornerStoreId: string,
  creditLimit: number,
): Promise<string> {
  const { page } = person;
  await person.goto(`/tiendas/${cornerStoreId}`);
  await page.locator('summary', { hasText: 'Cambiar condiciones' }).click();
  const terms = page.locator('form').filter({ has: page.getByLabel('Línea en pesos') });
  await terms.getByLabel('Línea en pesos').fill(String(creditLimit));
  await terms.getByLabel('Motivo').fill('Paga a tiempo desde hace un año');
  expect(await statusOf(person, 'Guardar')).toBe(202);
  const link = page.getByRole('link', { name: 'Ver la solicitud' });
  return (await link.getAttribute('href'))?.split('/').at(-1) ?? '';
}

/** Presses the button of a form, and waits for the page that follows. @returns the form's status */
export async function statusOf(person: Person, button: string): Promise<number> {
  const [answer] = await Promise.all([
    person.page.waitForResponse((response) => response.request().method() === 'POST'),
    person.page.waitForEvent('load'),
    person.press(button),
  ]);
  return answer.status();
}

/** A change request whose approval has had its effect. */
export function changeOf(system: Api, changeRequestId: string): Promise<Record<string, unknown>> {
  return waitFor(async () => {
    const path = `/admin/change-requests/${changeRequestId}`;
    const { body } = await system.call(system.opsKey, 'GET', path);
    return body.status === 'pending' || body.status === 'approved' ? undefined : body;
  });
}

/** A corner store as ops sees it. */
export async function termsOf(
  system: Api,
  cornerStoreId: string,
): Promise<{ status: string; creditLimit: number }> {
  const path = `/admin/corner-stores/${cornerStoreId}`;
  const { body } = await system.call(system.opsKey, 'GET', path);
  return body.cornerStore;
}
