import { randomUUID } from 'node:crypto';
import { CHANGE_JOBS, settlementChangeExecuted } from '@fiado/contracts/jobs/changes';
import { until } from '@fiado/chassis/testing/until';
import { createCustomer, createWholesaler } from '../../../services/accounts/test/support/accounts';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startRunningConsole, type Person } from './support/running-console';
import { walkFrom } from './support/walk';

const fiado = forAllTests(startRunningConsole);
let ana: Person;
let luis: Person;
let viewer: Person;
let wholesalerId: string;

beforeAll(async () => {
  ana = await fiado.person('admin');
  luis = await fiado.person('admin');
  viewer = await fiado.person('viewer');
  ({ wholesalerId } = await createWholesaler(fiado.accounts));
});

/** Raises the limit of a new store, which waits for a second person. */
async function askForLimit(
  form: Record<string, string> = { creditLimit: '9000', reason: 'Paga a tiempo' },
): Promise<{ store: string; request: string }> {
  const { cornerStoreId } = await createCustomer(fiado.accounts, wholesalerId);
  const store = `/tiendas/${cornerStoreId}`;
  const { status, text } = await ana.post(store, form);
  expect(status).toBe(202);
  return { store, request: requestIn(text) };
}

function requestIn(text: string): string {
  return /href="(\/aprobaciones\/[\w-]+)"/.exec(text)?.[1] ?? '';
}

/** Makes all sign-ins of that person older than a decision may be. */
function ageSignIn({ staffId }: Person): Promise<unknown> {
  const text = `UPDATE staff_sessions SET auth_time = now() - interval '6 minutes' WHERE staff_id = $1`;
  return fiado.accounts.rows(text, [staffId]);
}

async function untilShown(path: string, words: string): Promise<void> {
  await until(`the page says ${words}`, async () => (await luis.get(path)).text.includes(words));
}

it('a lower limit ends a raise that waits; its page says so in words', async () => {
  const { store, request } = await askForLimit();
  expect((await luis.post(store, { creditLimit: '4000' })).status).toBe(303);
  expect((await luis.get(store)).text).not.toContain('Espera aprobación');
  expect((await luis.get(request)).text).toContain('El registro cambió después de la solicitud');
  const refused = await luis.post(`${request}/aprobar`);
  expect([refused.status, refused.text.includes('terminó sin aplicarse')]).toEqual([409, true]);
});

describe('a change that waits', () => {
  let store: string;
  let request: string;
  beforeAll(async () => {
    ({ store, request } = await askForLimit());
  });

  it('is on its record and in the list, with who asked and why', async () => {
    const shown = await luis.get(store);
    expect(shown.text).toContain('Espera aprobación de otra persona');
    expect(shown.text).toMatch(/Lo pidió Ana Torres/);
    expect(shown.text).toContain('Línea: $5,000.00 → $9,000.00');
    const why = 'en suma, de 25% o de $10,000 desde que dos la aprobaron';
    expect(shown.text).toContain(why);
    expect((await luis.get(request)).text).toContain(why);
    expect(requestIn(shown.text.slice(shown.text.indexOf('Espera aprobación')))).toBe(request);
    const list = (await luis.get('/aprobaciones')).text;
    expect(list).toContain(`href="${request}"`);
    expect(list).toContain('Ana Torres');
    expect(list).toContain('Paga a tiempo');
  });

  it('shows its old and new values, and no buttons to who asked for it', async () => {
    const own = (await ana.get(request)).text;
    expect(own).toContain('Tú pediste este cambio');
    expect(own).not.toContain(`action="${request}/`);
    const other = (await luis.get(request)).text;
    expect(other).toMatch(
      /<td[^>]*>Línea<\/td>\s*<td[^>]*>\$5,000\.00<\/td>\s*<td[^>]*>\$9,000\.00<\/td>/,
    );
    expect(other).toContain(`action="${request}/aprobar"`);
  });

  it('is refused to who asked for it also when the form is sent', async () => {
    const { status, text } = await ana.post(`${request}/aprobar`);
    expect(status).toBe(403);
    expect(text).toContain('Quien pide un cambio no lo decide');
    expect(text).not.toContain('SECOND_PERSON_REQUIRED');
  });

  it('is what another change of the same record leads to', async () => {
    const { status, text } = await ana.post(store, { creditLimit: '9500' });
    expect(status).toBe(409);
    expect(text).toContain('ya espera aprobación');
    expect(requestIn(text)).toBe(request);
  });
});

describe('a change', () => {
  it('is decided after a new sign-in, which leads back to the same page', async () => {
    const { store, request } = await askForLimit();
    // Before her first request, after which the gateway knows for a while when she signed in.
    const eva = await fiado.person('admin');
    await ageSignIn(eva);
    const sent = await eva.post(`${request}/aprobar`, { reason: 'De acuerdo' });
    expect([sent.status, sent.location]).toEqual([303, `/entrar?a=${encodeURIComponent(request)}`]);
    expect((await eva.get(sent.location ?? '')).text).toContain('Confirma que eres tú');

    const { body } = await eva.script('/passkey/pedir', {});
    const response = eva.passkey.get(body['options'] as { challenge: string });
    const entered = await eva.script('/passkey/entrar', { response });
    expect(entered.body['next']).toBe(request);
    // What was typed is there, and the press is repeated by the script, once.
    const back = (await eva.get(request)).text;
    expect(back).toMatch(/action="[^"]+\/aprobar"\s+data-submit/);
    expect(back).toContain('value="De acuerdo"');
    expect((await eva.get(request)).text).not.toContain('data-submit');

    const approved = await eva.post(`${request}/aprobar`, { reason: 'De acuerdo' });
    expect([approved.status, approved.location]).toEqual([303, `${request}?aviso=decidido`]);
    await untilShown(request, 'Aprobada y aplicada');
    expect((await eva.get(store)).text).toContain('$9,000.00');
    const again = await eva.post(`${request}/rechazar`, { reason: 'Tarde' });
    expect(again.text).toContain('ya se decidió o caducó');
  });

  it('is rejected with a reason only', async () => {
    const { store, request } = await askForLimit();
    const without = await luis.post(`${request}/rechazar`, { reason: '' });
    expect(without.status).toBe(400);
    expect(without.text).toContain('aria-invalid="true"');
    expect(without.text).toMatch(/role="alert" tabindex="-1" autofocus/);
    const { location } = await luis.post(`${request}/rechazar`, { reason: 'Debe mucho' });
    expect((await luis.get(location ?? '')).text).toContain('Debe mucho');
    expect((await luis.get(store)).text).toContain('$5,000.00');
  });

  it('fails in plain words when its record has changed meanwhile', async () => {
    const { store, request } = await askForLimit();
    await ana.post(store, { creditLimit: '4000' });
    await luis.post(`${request}/aprobar`);
    await untilShown(request, 'El registro cambió después de la solicitud');
    expect((await luis.get('/aprobaciones?status=failed')).text).toContain(`href="${request}"`);
  });
});

it('a credit note that its wholesaler asks for is decided by an approver, and leads to its order', async () => {
  const [changeRequestId, transactionId] = [randomUUID(), randomUUID()];
  await fiado.accounts.deliver(
    CHANGE_JOBS.settlement.requested,
    { id: changeRequestId, version: 1 },
    {
      changeRequestId,
      kind: 'credit-note.give',
      targetId: transactionId,
      payload: { wholesalerId, amountCents: 40_000, reason: 'damaged', reference: 'DEV-7' },
      before: {},
      requestedBy: wholesalerId,
    },
  );
  const request = `/aprobaciones/${changeRequestId}`;
  const { text } = await luis.get(request);
  for (const words of [
    'Nota de crédito de un pedido',
    'Abarrotes del Norte',
    '$400.00',
    'mercancía dañada',
    'DEV-7',
  ])
    expect(text).toContain(words);
  expect(text).toContain(`href="/pedidos/${transactionId}"`);
  expect((await fiado.person('operator').then((one) => one.get(request))).text).not.toContain(
    `action="${request}/aprobar"`,
  );

  expect((await luis.post(`${request}/aprobar`)).status).toBe(303);
  const failure = 'CHANGE_TARGET_CHANGED';
  const outcome = { id: changeRequestId, version: 2 };
  await fiado.accounts.deliver(settlementChangeExecuted, outcome, {
    changeRequestId,
    failure,
  });
  expect((await luis.get(request)).text).toContain('El registro cambió después de la solicitud');
});

it('a key that needs a second person is collected once, by who asked for it', async () => {
  const asked = await ana.post(`/mayoristas/${wholesalerId}/llaves`, { scopes: '' });
  expect(asked.status).toBe(202);
  const request = requestIn(asked.text);
  await luis.post(`${request}/aprobar`);
  expect((await luis.get(request)).text).not.toContain(`${request}/recoger`);
  expect((await ana.get(request)).text).toContain(`action="${request}/recoger"`);
  const collected = await ana.post(`${request}/recoger`);
  expect(collected.text).toMatch(/<code>fiado_test_[\w-]+<\/code>/);
  const again = await ana.post(`${request}/recoger`);
  expect(again.status).toBe(422);
  expect(again.text).not.toMatch(/fiado_test_/);
});

/** Luis reads why Ana asked for something, and approves it, and Ana collects its secrets. */
async function collected(text: string, { reason }: { reason: string }): Promise<string[]> {
  const request = requestIn(text);
  expect((await luis.get(request)).text).toContain(reason);
  await luis.post(`${request}/aprobar`);
  const page = await ana.post(`${request}/recoger`);
  return [...page.text.matchAll(/<code>([^<]+)<\/code>/g)].map(([, secret = '']) => secret);
}

it('an ops key is asked for, listed without its secret, and revoked on one page', async () => {
  expect((await viewer.get('/llaves')).status).toBe(403);
  const expiresAt = new Date(Date.now() + 30 * 24 * 60 * 60_000).toISOString().slice(0, 10);
  const reason = 'La conciliación de cada noche';
  const form = { name: 'Conciliación nocturna', scope: 'operator', expiresAt, reason };
  const asked = await ana.post('/llaves', form);
  expect(asked.status).toBe(202);
  const [secret = ''] = await collected(asked.text, form);
  expect(secret).toMatch(/^fiado_test_/);
  const { text } = await ana.get('/llaves');
  expect(text).toContain('Conciliación nocturna');
  expect(text).not.toContain(secret);
  const revoke = /action="(\/llaves\/[\w-]+\/revocar)"/.exec(text)?.[1] ?? '';
  expect((await ana.post(revoke)).location).toBe('/llaves?aviso=revocada');
  expect((await ana.get('/llaves')).text).not.toContain(revoke);
});

it('a provider of payments is created, and gets one more key and a signing secret', async () => {
  const created = { name: 'Pagos Azul', signatureRequired: 'true', reason: 'Nuevo convenio' };
  const asked = await ana.post('/proveedores', created);
  expect(asked.status).toBe(202);
  expect(await collected(asked.text, created)).toHaveLength(2);
  const list = await ana.get('/proveedores');
  const page = /href="(\/proveedores\/[\w-]+)">Pagos Azul</.exec(list.text)?.[1] ?? '';
  const another = { scopes: '', expiresAt: '', reason: 'Su segunda oficina' };
  const key = await ana.post(`${page}/llaves`, another);
  expect(key.status).toBe(202);
  expect(await collected(key.text, another)).toEqual([expect.stringMatching(/^fiado_test_/)]);
  const yearly = { reason: 'Cambio de cada año' };
  const secret = await ana.post(`${page}/secretos`, yearly);
  expect(await collected(secret.text, yearly)).toHaveLength(1);

  const { text } = await ana.get(page);
  const revokes = [...text.matchAll(/action="([^"]+\/revocar)"/g)].map(([, path = '']) => path);
  expect(revokes).toHaveLength(2);
  expect((await ana.post(revokes[0] ?? '')).location).toBe(`${page}?aviso=revocada`);
  expect((await viewer.get(page)).text).not.toMatch(/revocar|Nueva llave|secretos/);
});

it('the settings of a provider are changed on its page, and what accepts more calls waits', async () => {
  const list = await ana.get('/proveedores');
  const page = /href="(\/proveedores\/[\w-]+)">Pagos Azul</.exec(list.text)?.[1] ?? '';
  const form = { signatureRequired: 'true', timeZone: 'America/Mexico_City' };
  const stricter = await ana.post(page, {
    ...form,
    allowedAddresses: '203.0.113.0/24, 198.51.100.7',
  });
  expect([stricter.status, stricter.location]).toEqual([303, `${page}?aviso=guardado`]);
  expect((await ana.get(page)).text).toContain('203.0.113.0/24, 198.51.100.7');
  const wrong = await ana.post(page, { ...form, allowedAddresses: 'cualquiera' });
  expect(wrong.status).toBe(400);
  expect((await ana.post(page, { ...form, allowedAddresses: '' })).status).toBe(202);
});

it('a wholesaler is created with its first key, by an admin', async () => {
  const created = await ana.post('/mayoristas', { name: 'Abarrotes Nuevo', commissionRate: '3' });
  expect(created.text).toMatch(/<code>fiado_test_[\w-]+<\/code>/);
  const list = await ana.get('/mayoristas');
  const page = /href="(\/mayoristas\/[\w-]+)">Abarrotes Nuevo</.exec(list.text)?.[1] ?? '';
  expect((await ana.get(page)).text).toMatch(/Comisión<\/dt>\s*<dd>3%/);
  const lento = { name: 'Abarrotes Lento', commissionRate: '1', reason: 'Vende mucho' };
  const looser = await ana.post('/mayoristas', lento);
  expect(looser.status).toBe(202);
  expect(await collected(looser.text, lento)).toEqual([expect.stringMatching(/^fiado_test_/)]);
  expect((await viewer.get('/mayoristas')).text).not.toContain('Nuevo mayorista');
  expect((await viewer.post('/mayoristas', { name: 'Otro' })).status).toBe(403);
});

it('the link of an invitation is collected by who approved it, not by who asked', async () => {
  const form = { email: 'eva@lender.example', name: 'Eva Ríos', role: 'operator' };
  const asked = await ana.post('/personal', form);
  expect(asked.status).toBe(202);
  const request = requestIn(asked.text);
  expect((await luis.get('/')).text).toMatch(/por aprobar[^]*href="\/aprobaciones"/);
  await luis.post(`${request}/aprobar`);
  expect((await ana.get(request)).text).not.toContain(`${request}/recoger`);
  expect((await ana.post(`${request}/recoger`)).text).not.toContain('fiado_invite_');
  const { words: page } = await walkFrom(luis, request);
  expect(page).toContain('vale 24 horas');
  expect(page).toContain('Recoger el enlace de Eva Ríos');
  const collected = await luis.post(`${request}/recoger`);
  expect(collected.text).toContain('Da este enlace solo a Eva Ríos');
  expect(collected.text).toMatch(/<code>http:\/\/localhost:3010\/invitacion\/fiado_invite_[\w-]+/);
  const { words } = await walkFrom(luis, '/auditoria?accion=staff.invited');
  expect(words).toContain(
    'Ana Torres (tú) invitó a Eva Ríos; lo pidió Ana Torres y lo aprobó Ana Torres',
  );
  const asks = (await walkFrom(ana, '/auditoria?accion=change.requested')).words;
  expect(asks).toContain('pidió un cambio: invitación de una persona ( ver )');
});

it('the audit log names whose access ended, and its chips whom it is asked for', async () => {
  const eva = await fiado.person('viewer');
  await fiado.accounts.rows(`UPDATE staff SET name = 'Eva Luna' WHERE id = $1`, [eva.staffId]);
  await ana.post(`/personal/${eva.staffId}/baja`);
  const log = await walkFrom(luis, `/auditoria?accion=staff.disabled&objeto=${eva.staffId}`);
  expect(log.words).toContain('Ana Torres quitó el acceso a Eva Luna');
  expect(log.words).toContain('Objeto Eva Luna ×');
  const { words } = await walkFrom(luis, `/auditoria?persona=${eva.staffId}`);
  expect(words).toContain('Eva Luna ×');
});

it('whose access ended has no form of a role, and the page says how it is given back', async () => {
  const { staffId } = await fiado.person('operator');
  const page = `/personal?persona=${staffId}`;
  expect((await ana.get(page)).text).toContain(`action="/personal/${staffId}/rol"`);
  await ana.post(`/personal/${staffId}/baja`);
  const { text } = await ana.get(page);
  expect(text).not.toContain(`/personal/${staffId}/rol`);
  expect(text).toMatch(/Operación[^]*Sin acceso\. Para devolverlo, invita otra vez/);
  expect(text).toContain('Operación hace el trabajo diario');
});

it('a higher role waits, and the person’s row says so', async () => {
  const { staffId } = await fiado.person('viewer');
  const { status, text } = await ana.post(`/personal/${staffId}/rol`, { role: 'admin' });
  expect(status).toBe(202);
  const row = new RegExp(`${requestIn(text)}"[^]{0,200}Espera aprobación de otra persona`);
  expect((await luis.get('/personal')).text).toMatch(row);
});

describe('unusual terms', () => {
  it('are shown again with those of today, and saved after a second button only', async () => {
    const { cornerStoreId } = await createCustomer(fiado.accounts, wholesalerId);
    const store = `/tiendas/${cornerStoreId}`;
    const form = { creditLimit: '$200,000', interestRate: '50%', reason: 'Temporada' };
    const { status, text } = await ana.post(store, form);
    expect(status).toBe(422);
    expect(text).toMatch(/\$5,000\.00<\/td>\s*<td[^>]*><strong>\$200,000\.00/);
    expect(text).toMatch(/5%<\/td>\s*<td[^>]*><strong>50%/);
    expect(text).toMatch(/name="confirmed" value="true"/);
    expect((await ana.get(store)).text).not.toContain('Espera aprobación');
    expect((await ana.post(store, { ...form, confirmed: 'true' })).status).toBe(202);
  });

  it('of less than 1 % are shown again first: who types 0.05 may mean 5', async () => {
    const { cornerStoreId } = await createCustomer(fiado.accounts, wholesalerId);
    const form = { interestRate: '0.05', reason: 'Promoción' };
    const { status, text } = await ana.post(`/tiendas/${cornerStoreId}`, form);
    expect([status, text.includes('0.05%')]).toEqual([422, true]);
  });

  it('that are no numbers are marked where they were typed, and stay typed', async () => {
    const { cornerStoreId } = await createCustomer(fiado.accounts, wholesalerId);
    const { status, text } = await ana.post(`/tiendas/${cornerStoreId}`, { creditLimit: '25 mil' });
    expect(status).toBe(400);
    expect(text).toMatch(/name="creditLimit"[^>]*value="25 mil"[^>]*aria-invalid="true"/);
    expect(text).toContain('Escríbelo con números, como 25,000');
  });
});

it('an incomplete store is approved with a reason only', async () => {
  const { cornerStoreId } = await createCustomer(fiado.accounts, wholesalerId);
  await fiado.accounts.rows(
    `UPDATE corner_stores SET status = 'in-manual-validation' WHERE id = $1 RETURNING 1`,
    [cornerStoreId],
  );
  const queue = await ana.get(`/validacion?tienda=${cornerStoreId}`);
  expect(queue.text).toMatch(/name="reason"[^>]*required/);
  const without = await ana.post(`/validacion/${cornerStoreId}/aprobar`);
  expect(without.status).toBe(422);
  expect(without.text).toContain('escribe por qué la apruebas');
  const { location } = await ana.post(`/validacion/${cornerStoreId}/aprobar`, {
    reason: 'Visitada',
  });
  expect(location).toBe('/validacion?aviso=aprobada');
  expect((await ana.get(`/tiendas/${cornerStoreId}`)).text).toContain('Visitada');
});
