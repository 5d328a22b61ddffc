import { asOwner } from '@fiado/chassis/testing/as-owner';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  describeInBrowser,
  look,
  openConsole,
  type ConsoleTour,
  type Person,
} from './support/console';
import { changeOf, requestLimit, statusOf, termsOf } from './support/console-changes';
import { createStore, createWholesaler, type Wholesaler } from './support/story';
import { sharedSystem } from './support/shared-system';

const system = sharedSystem();
/** The gateway answers for a checked session this long, with the sign-in time that it had. */
const SESSION_CACHED_MS = 5_500;
const pageOf = (changeRequestId: string) => `/aprobaciones/${changeRequestId}`;

describeInBrowser('on the page of approvals', () => {
  let tour: ConsoleTour;
  let wholesaler: Wholesaler;
  let ana: Person;
  let bruno: Person;
  let carla: Person;
  beforeAll(async () => {
    tour = await openConsole(system);
    wholesaler = await createWholesaler(system);
    ana = await tour.person('approver', 'Ana Torres');
    bruno = await tour.person('approver', 'Bruno Díaz');
    carla = await tour.person('admin', 'Carla Soto');
  });
  afterAll(() => tour.close());

  /** A store whose limit one person wants to raise from 10,000 to 20,000. */
  async function waitingLimit() {
    const { cornerStoreId } = await createStore(system, wholesaler);
    const changeRequestId = await requestLimit(ana, cornerStoreId, 20_000);
    return { cornerStoreId, changeRequestId };
  }

  it('a second person approves a limit, which then counts, and the audit log has both', async () => {
    const { cornerStoreId, changeRequestId } = await waitingLimit();
    await look(ana, 'limit-waits');
    await ana.goto(`/tiendas/${cornerStoreId}`);
    expect(await ana.text()).toContain('Espera aprobación de otra persona');
    await look(ana, 'store-waits');
    expect((await termsOf(system, cornerStoreId)).creditLimit).toBe(10_000);

    await bruno.goto('/aprobaciones');
    await look(bruno, 'approvals');
    await bruno.page.locator(`a[href="${pageOf(changeRequestId)}"]`).click();
    await bruno.page.getByText('Paga a tiempo').waitFor();
    await look(bruno, 'approval');
    expect(await statusOf(bruno, 'Aprobar')).toBe(303);
    expect(await changeOf(system, changeRequestId)).toMatchObject({
      status: 'executed',
      requestedBy: ana.staffId,
      decidedBy: bruno.staffId,
    });
    expect((await termsOf(system, cornerStoreId)).creditLimit).toBe(20_000);
    await bruno.goto(pageOf(changeRequestId));
    expect(await bruno.text()).toContain('Aprobada y aplicada');
    await look(bruno, 'approval-done');

    const { body } = await bruno.call('GET', `/admin/audit?objectId=${changeRequestId}`);
    const steps = body.entries.map((entry: Record<string, string>) => [
      entry.action,
      entry.actorId,
    ]);
    expect(steps).toEqual([
      ['change.approved', bruno.staffId],
      ['change.requested', ana.staffId],
    ]);
    await bruno.goto('/auditoria');
    await look(bruno, 'audit');
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await bruno.call(
        'GET',
        `/admin/audit/verify?cursor=${cursor}`.replace(/\?cursor=$/, ''),
      );
      expect(body.break).toBeNull();
      cursor = body.nextCursor;
    }
  });

  it('who asked has no button, and a form sent all the same is refused', async () => {
    const { changeRequestId } = await waitingLimit();
    await ana.goto(pageOf(changeRequestId));
    expect(await ana.text()).toContain('Tú pediste este cambio: lo decide otra persona.');
    expect(await ana.page.getByRole('button', { name: 'Aprobar' }).count()).toBe(0);
    await look(ana, 'approval-own');

    await ana.page.locator('form[action="/salir"]').evaluate(
      (form, action) => {
        form.setAttribute('action', action);
      },
      `${pageOf(changeRequestId)}/aprobar`,
    );
    expect(await statusOf(ana, 'Salir')).toBe(403);
    expect(await ana.text()).toContain('Quien pide un cambio no lo decide');
    await look(ana, 'approval-refused');
    const path = `/admin/change-requests/${changeRequestId}/approve`;
    const refused = await ana.call('POST', path);
    expect([refused.status, refused.body.errorCode]).toEqual([403, 'SECOND_PERSON_REQUIRED']);
  });

  it('who signed in long ago signs in again, and the press counts that led there', async () => {
    await asOwner(system.databaseUrl, (owner) =>
      owner.query(
        `UPDATE accounts.staff_sessions SET auth_time = now() - interval '6 minutes'
        WHERE staff_id = $1`,
        [bruno.staffId],
      ),
    );
    const [{ changeRequestId }] = await Promise.all([waitingLimit(), sleep(SESSION_CACHED_MS)]);
    await bruno.goto(pageOf(changeRequestId));
    expect(await statusOf(bruno, 'Aprobar')).toBe(303);
    expect(await bruno.text()).toContain('Confirma que eres tú');
    await look(bruno, 'sign-in-again');
    await bruno.press('Entrar con mi llave de acceso');
    await bruno.page.waitForURL(`**${pageOf(changeRequestId)}?aviso=decidido`);
    expect(await changeOf(system, changeRequestId)).toMatchObject({ status: 'executed' });
  });

  it('a limit that moved meanwhile ends the request, and its page says so', async () => {
    const { cornerStoreId, changeRequestId } = await waitingLimit();
    const body = { creditLimit: 4000 };
    await system.call(system.opsKey, 'PUT', `/admin/corner-stores/${cornerStoreId}`, { body });

    expect(await changeOf(system, changeRequestId)).toMatchObject({
      status: 'failed',
      failure: 'CHANGE_TARGET_CHANGED',
    });
    expect((await termsOf(system, cornerStoreId)).creditLimit).toBe(4000);
    await bruno.goto(pageOf(changeRequestId));
    expect(await bruno.text()).toContain('El registro cambió después de la solicitud');
    await look(bruno, 'approval-stale');
  });

  it('of two people who approve at once one does, and the limit is changed once', async () => {
    const { cornerStoreId, changeRequestId } = await waitingLimit();
    const approvers = [bruno, carla];
    for (const person of approvers) await person.goto(pageOf(changeRequestId));
    const statuses = await Promise.all(approvers.map((person) => statusOf(person, 'Aprobar')));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([303, 422]);
    expect(await changeOf(system, changeRequestId)).toMatchObject({ status: 'executed' });
    const late = approvers[statuses.indexOf(422)];
    expect(await late?.text()).toContain('La solicitud ya se decidió');

    const changes = await system.call(
      system.opsKey,
      'GET',
      `/admin/audit?objectId=${cornerStoreId}&action=corner-store.changed`,
    );
    expect(changes.body.entries).toMatchObject([{ details: { changeRequestId } }]);
  });

  it('a limit above the ceiling is shown beside the old one and asks for a second press', async () => {
    const { cornerStoreId } = await createStore(system, wholesaler);
    await ana.goto(`/tiendas/${cornerStoreId}`);
    await ana.page.locator('summary', { hasText: 'Cambiar condiciones' }).click();
    await ana.page.getByLabel('Línea en pesos').fill('250000');
    await ana.page.locator('#condiciones').getByLabel('Motivo').fill('Abre otra tienda');
    expect(await statusOf(ana, 'Guardar')).toBe(422);
    expect(await ana.text()).toMatch(/\$10,000\.00\s+\$250,000\.00/);
    await look(ana, 'limit-unusual');
    expect(await statusOf(ana, 'Sí, guardar estos valores')).toBe(202);
    expect((await termsOf(system, cornerStoreId)).creditLimit).toBe(10_000);
  });

  it('an admin invites a person, a second admin approves, and is shown the link once', async () => {
    await carla.goto('/personal');
    await carla.page.locator('summary', { hasText: 'Invitar' }).click();
    await carla.page.getByLabel('Correo').fill(`dora.${randomUUID().slice(0, 8)}@lender.example`);
    await carla.page.getByLabel('Nombre').fill('Dora Vega');
    const invitation = carla.page.locator('form').filter({ has: carla.page.getByLabel('Correo') });
    await invitation.getByLabel('Motivo').fill('Entra a cobranza');
    expect(await statusOf(carla, 'Invitar')).toBe(202);
    await carla.page.getByRole('link', { name: 'Ver la solicitud' }).click();
    await carla.page.getByRole('cell', { name: 'Dora Vega' }).waitFor();
    const path = new URL(carla.page.url()).pathname;

    const dario = await tour.person('admin', 'Darío Gil');
    await dario.goto(path);
    await look(dario, 'approval-invitation');
    expect(await statusOf(dario, 'Aprobar')).toBe(303);
    await carla.goto(path);
    expect(await carla.text()).not.toContain('Recoger');
    await dario.goto(path);
    expect(await statusOf(dario, 'Recoger el enlace de Dora Vega')).toBe(200);
    const link = await dario.page.locator('main code').innerText();
    await look(dario, 'invitation-link');
    await dario.goto(path);
    expect(await dario.page.getByRole('button', { name: 'Recoger' }).count()).toBe(0);
    await dario.context.clearCookies();
    await dario.goto(new URL(link).pathname);
    expect(await dario.text()).toContain('Hola, Dora Vega');
    await look(dario, 'invitation');
  });
});
