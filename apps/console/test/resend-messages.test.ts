import { consoleOnStandIn } from './support/console-on-stand-in';

const { page, post, changes } = consoleOnStandIn();

const resends = () =>
  changes()
    .filter(({ path }) => path === '/v1/admin/messages/resend')
    .map(({ body }) => JSON.parse(body) as object);

it('the page counts unknown messages since a day and sends none', async () => {
  const { text } = await page('/mensajes?desde=2026-09-21');
  expect(text).toContain('Se reenviarían 2 de 3.');
  expect(text).toContain('Algunas tiendas pueden recibirlo dos veces');
  expect(resends()).toEqual([{ status: 'unknown', since: '2026-09-21', dryRun: true }]);
});

it('its button sends them again', async () => {
  const { status, headers } = await post('/mensajes/reenviar', { since: '2026-09-21' });
  expect([status, headers.get('location')]).toEqual([303, '/mensajes?aviso=reenviado']);
  expect(resends()).toEqual([{ status: 'unknown', since: '2026-09-21', dryRun: false }]);
});
