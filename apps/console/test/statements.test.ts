import { consoleOnStandIn } from './support/console-on-stand-in';
import { CSV, ENDED_SESSION, STATEMENT, STORE, TAX_PROFILE } from './support/stand-in-gateway';

const running = consoleOnStandIn();
const { send, page, post, changes } = running;

const path = `/liquidaciones/${STATEMENT}`;

it('statements are listed, each with its spreadsheet, which the console passes on', async () => {
  const list = await page('/liquidaciones?desde=2026-11-16&hasta=2026-11-22');
  expect(list.text).toMatch(/href="\/liquidaciones"\s+aria-current="page"/);
  expect(list.text).toContain('Abarrotes del Norte');
  expect(list.text).toMatch(/16 nov[^–]* – 22 nov/);
  expect(list.text).toContain(`href="${path}/renglones.csv"`);
  expect(running.gateway.calls.map((call) => call.path)).toContain(
    '/v1/admin/statements?from=2026-11-16&to=2026-11-23&limit=25&totals=true',
  );

  const listed = await page('/liquidaciones.csv');
  // With the year, as a spreadsheet reads it.
  expect(listed.text).toContain('Desde,Antes de');
  expect(listed.text).toMatch(/,2026-11-16 00:00,2026-11-23 00:00,/);

  const file = await page(`${path}/renglones.csv`);

  expect([file.status, file.text]).toEqual([200, CSV]);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="12.csv"');
  expect(file.headers.get('content-type')).toMatch(/^text\/csv/);
  const ended = await send('GET', `${path}/renglones.csv`, { session: ENDED_SESSION });
  expect([ended.status, ended.headers.get('location')]).toEqual([303, '/entrar']);
});

it('a statement has its commission invoice, and a wholesaler the form of in whose name it is', async () => {
  const { text } = await page(path);
  expect(text).toContain(`href="${path}/comision.xml"`);
  const wholesaler = `/mayoristas/${STORE}`;
  const shown = await page(wholesaler);
  expect(shown.text).toContain('Datos fiscales: ABARROTES DEL NORTE');
  running.gateway.calls.length = 0;
  const asked = await post(`${wholesaler}/datos-fiscales`, { ...TAX_PROFILE, email: '' });
  expect([asked.status, asked.text.includes('/aprobaciones/')]).toEqual([202, true]);
  expect((await post(`${wholesaler}/datos-fiscales/quitar`, {})).status).toBe(303);
  const endpoint = { path: `/v1/admin/wholesalers/${STORE}/tax-profile` };
  expect(changes()).toEqual([
    expect.objectContaining({ ...endpoint, method: 'PUT', body: JSON.stringify(TAX_PROFILE) }),
    expect.objectContaining({ ...endpoint, method: 'DELETE' }),
  ]);
});

it('the statements to be paid have the sum of each wholesaler above them', async () => {
  const { text } = await page('/liquidaciones?status=closed');
  expect(text).toContain('Por pagar: $1,446.15');
  expect(text).toContain(`href="/liquidaciones?status=closed&amp;mayorista=${STORE}"`);
  const all = await page('/liquidaciones');
  expect(all.text).not.toContain('Por pagar: ');
});

it('the home page counts statements to pay with their sum, and privacy requests with the first day', async () => {
  const { text } = await page('/');
  const plain = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(plain).toContain('1 Liquidación por pagar $1,446.15 Pagar');
  expect(plain).toContain('1 Comprobante que no se pudo cancelar Avisar al mayorista');
  expect(text).toContain('href="/liquidaciones?status=closed"');
  expect(plain).toContain(
    '1+ Solicitudes de privacidad por responder La primera, a más tardar 4 dic',
  );
});

it('the file of the statements to be paid reads the list alone, without the sums of its page', async () => {
  running.gateway.calls.length = 0;
  await page('/liquidaciones.csv?status=closed');
  const asked = running.gateway.calls.map(({ path }) => path);
  expect(asked.filter((path) => path.startsWith('/v1/admin/statements'))).toEqual([
    '/v1/admin/statements?status=closed&limit=100',
  ]);
});

it('several statements are marked as paid at once, each with the reference of its transfer', async () => {
  const list = await page('/liquidaciones?status=closed');
  expect(list.text).toContain('1 liquidación, $1,446.15 en total');
  expect(list.text).toMatch(
    new RegExp(`form="elegidos"\\s+name="liquidacion"\\s+value="${STATEMENT}"`),
  );
  const chosen = `/liquidaciones/varias?liquidacion=${STATEMENT}`;
  const form = await page(chosen);
  expect(form.text).toContain('Referencia del banco: Abarrotes del Norte, núm. 12, $1,446.15');
  const done = await post('/liquidaciones/varias', {
    liquidacion: STATEMENT,
    paidOn: '2026-11-24',
    reason: 'Semana 47',
    [`bankReference-${STATEMENT}`]: 'SPEI-7',
  });
  expect(done.text).toMatch(/href="\/aprobaciones\/[\w-]+"\s*>Espera aprobación/);
  expect(changes()).toEqual([
    expect.objectContaining({
      body: '{"bankReference":"SPEI-7","paidOn":"2026-11-24","reason":"Semana 47"}',
    }),
  ]);
});

it('a request to pay a statement shows its sums and lines, and names its wholesaler', async () => {
  const { text } = await page(`/aprobaciones/${STATEMENT}`);
  expect(text).toContain(`<a href="/mayoristas/${STORE}">Abarrotes del Norte</a>`);
  expect(text).toContain('A pagar');
  expect(text).toContain('PED-4711');
  expect(text).toContain('$1,450.89');
});

it('a spreadsheet that the API refuses is a page that says why', async () => {
  const missing = '9d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11';
  const { status, text } = await page(`/liquidaciones/${missing}/renglones.csv`);
  expect(status).toBe(404);
  expect(text).toContain('La liquidación no existe');
  // A browser would save a page as the file.
  const list = await page('/liquidaciones');
  expect(list.text).not.toMatch(/\sdownload\b/);
});

it('statements show their lines and amounts, and a payment waits for a second person', async () => {
  const { text } = await page(path);
  for (const words of [
    'Liquidación 12',
    'PED-4711',
    '$1,446.15',
    'Por pagar',
    `href="${path}?cursor=${STORE}">Siguientes`,
  ])
    expect(text).toContain(words);
  // Deliveries and credit notes apart, and the statement before beside this one.
  expect(text).toMatch(/Entregas<\/td>\s*<td[^>]*>\$1,600\.50<\/td>\s*<td[^>]*>\$1,600\.50/);
  expect(text).toMatch(/Notas de crédito<\/td>\s*<td[^>]*>−\$120\.00/);
  expect(text).toContain('La anterior, núm. 12');
  expect(text).not.toContain(`action="${path}/devuelta"`);

  expect(text).toMatch(/pagada"[^]*name="reason"[^>]*required/);
  // The store of a line.
  expect(text).toContain(`<a href="/tiendas/${STORE}">`);
  const form = { bankReference: 'SPEI-1', paidOn: '2026-11-24', reason: 'Semana 47' };
  const asked = await post(`${path}/pagada`, form);

  expect(asked.status).toBe(202);
  expect(changes()).toEqual([
    expect.objectContaining({
      path: `/v1/admin/statements/${STATEMENT}/mark-paid`,
      body: JSON.stringify(form),
    }),
  ]);
});

it('statements show further pages of lines', async () => {
  const second = await page(`${path}?cursor=${STORE}`);
  expect(second.text).toContain(`href="${path}">Volver al principio`);
  expect(running.gateway.calls.map((call) => call.path)).toContain(
    `/v1/admin/statements/${STATEMENT}/lines?limit=25&cursor=${STORE}`,
  );
});

it('statements of a wholesaler begin with what is not closed, which a second person lets correct', async () => {
  const draft = `/liquidaciones/mayorista/${STORE}`;
  const list = await page(`/liquidaciones?mayorista=${STORE}`);
  expect(list.text).toContain(`href="${draft}"`);
  const { text } = await page(draft);
  for (const words of ['Abarrotes del Norte', '−$311.60', '$665.20', 'renglones: 1', 'PED-4711'])
    expect(text).toContain(words);
  expect(text).toMatch(/name="key" value="[\da-f-]{36}"/);
  expect(text).toContain('Retenido: $2,321.50');
  const held = await page(`${draft}?ver=retenidos`);
  expect(held.text).toMatch(/Se paga desde[^]*24 nov( 2026)?, 11:00 a\.m\./);
  expect(held.text).toContain(`href="${draft}?ver=retenidos&amp;cursor=${STORE}">Siguientes`);

  const answers = [
    await post(draft, { kind: 'clawback', amount: '480.50', transactionId: STORE, reason: 'a' }),
    await post(draft, { kind: 'less', amount: '$1,020.50', transactionId: '', reason: 'b' }),
    await post(draft, { kind: 'more', amount: '3', transactionId: '', reason: 'c' }),
    await post(draft, { kind: 'less', amount: 'mucho', transactionId: '', reason: 'd' }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
  expect(changes().map(({ body }) => JSON.parse(body))).toEqual([
    { wholesalerId: STORE, kind: 'clawback', amount: 480.5, transactionId: STORE, reason: 'a' },
    { wholesalerId: STORE, kind: 'adjustment', amount: -1020.5, reason: 'b' },
    { wholesalerId: STORE, kind: 'adjustment', amount: 3, reason: 'c' },
    { wholesalerId: STORE, kind: 'adjustment', amount: null, reason: 'd' },
  ]);
});

it('the form of a correction sends its key, so that sent twice it is one correction', async () => {
  const form = { kind: 'more', amount: '3', transactionId: '', reason: 'c', key: 'k-2' };
  await post(`/liquidaciones/mayorista/${STORE}`, form);
  expect(changes()).toEqual([expect.objectContaining({ idempotencyKey: 'k-2' })]);
});

it('statements close up to now when no day is named', async () => {
  await post('/liquidaciones', { until: '' });
  expect(changes().map(({ body }) => JSON.parse(body))).toEqual([
    { until: expect.stringMatching(/T.*Z$/) },
  ]);
});

it('statements are closed again with the same moment until no wholesaler remains', async () => {
  running.gateway.remaining.push(250, 50, 0);
  const { headers } = await post('/liquidaciones', { until: '' });
  const asked = changes().map(({ body }) => body);
  expect([asked.length, new Set(asked).size]).toEqual([3, 1]);
  expect(headers.get('location')).toBe('/liquidaciones?aviso=cerradas');
});

it('a closing that gets no further ends, and says that some remain', async () => {
  running.gateway.remaining.push(50, 50, 50);
  const { headers } = await post('/liquidaciones', { until: '2026-11-19' });
  expect(changes()).toHaveLength(2);
  expect(headers.get('location')).toBe('/liquidaciones?aviso=faltan');
});

it('statements close with the deliveries of the day that is named', async () => {
  const { status, headers } = await post('/liquidaciones', { until: '2026-11-22' });
  expect([status, headers.get('location')]).toEqual([303, '/liquidaciones?aviso=cerradas']);
  expect(changes()).toEqual([
    expect.objectContaining({
      path: '/v1/admin/statements/close',
      body: '{"until":"2026-11-23"}',
    }),
  ]);
});

it('a form that closes the statements of one wholesaler names it, also when it is not among the listed ones', async () => {
  const chosen = new RegExp(`<option value="${STORE}"\\s+selected>\\s*Abarrotes del Norte`);
  const filtered = await page(`/liquidaciones?mayorista=${STORE}`);
  expect(filtered.text).toMatch(chosen);

  const refused = await post('/liquidaciones', { until: 'ayer', wholesalerId: STORE });

  expect([refused.status, changes().map(({ body }) => JSON.parse(body))]).toEqual([
    400,
    [{ until: 'ayer', wholesalerId: STORE }],
  ]);
  expect(refused.text).toMatch(chosen);
});

it('a form for a wholesaler that nobody has does not mean all', async () => {
  const nobody = '9d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11';
  for (const path of ['/liquidaciones', '/exportaciones']) {
    const { text } = await page(`${path}?mayorista=${nobody}`);
    expect(text).toMatch(new RegExp(`<option value="${nobody}"\\s+selected`));
  }
});

it('an export of one wholesaler begins on its page, also when it is not among the listed ones', async () => {
  const own = await page(`/mayoristas/${STORE}`);
  expect(own.text).toContain(`href="/exportaciones?mayorista=${STORE}"`);
  const { text } = await page(`/exportaciones?mayorista=${STORE}`);
  expect(text).toMatch(new RegExp(`<option value="${STORE}"\\s+selected>\\s*Abarrotes del Norte`));
});

it('the ages of the portfolio lead to the debts that are late, or are not due yet', async () => {
  const { text } = await page(`/reportes?mayorista=${STORE}`);
  const links = text.replaceAll('&amp;', '&');
  expect(links).toMatch(
    new RegExp(`href="/cobranza\\?status=pending&mayorista=${STORE}"\\s*>Al corriente`),
  );
  expect(links).toMatch(
    new RegExp(`href="/cobranza\\?status=overdue&mayorista=${STORE}"\\s*>8 a 30 días`),
  );
});

it('the reports name a wholesaler that is not among the listed ones', async () => {
  const { text } = await page('/reportes');
  expect(text).toMatch(new RegExp(`href="/reportes\\?mayorista=${STORE}"\\s*>Abarrotes del Norte`));
});
