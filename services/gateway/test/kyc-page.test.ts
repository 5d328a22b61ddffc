import type { KycLinkAnswer, ValidKycLink } from '@fiado/contracts/kyc-link';
import { KycPages, LINK, TOKEN } from './support/kyc-pages';

const STORE = {
  cornerStoreName: 'Abarrotes "La Güera"',
  cornerStoreAddress: 'Av. Juárez 12, Puebla',
  cornerStoreType: 'POLLERÍA',
  businessLifetime: 'THREE-TO-FIVE_YEARS',
  ownershipStatus: 'DUEÑO',
  localeOwner: 'PROPIO',
};

let pages: KycPages;
beforeAll(async () => {
  pages = await KycPages.start();
});
afterAll(() => pages.gateway.stop());
beforeEach(() => pages.reset());

const missing = (...missingSteps: ValidKycLink['missingSteps']) => ({ ...LINK, missingSteps });

describe('a link of an identity check', () => {
  it('begins with the consent to the privacy notice, and sends its version', async () => {
    pages.link = { ...LINK, consented: false };
    const { text, headers } = await pages.get();
    expect(text).toContain('Paso 1 de 6');
    expect(text).toContain('https://example.com/aviso-de-privacidad');
    expect(text).not.toMatch(/Lucía|<script|type="file"/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(pages.asked).toEqual([
      { url: '/internal/kyc-links/open', body: { token: TOKEN, noticeVersion: '7' } },
    ]);

    const answer = await pages.post('/aviso', new URLSearchParams({ version: '7' }));
    expect([answer.status, answer.location]).toEqual([303, `/kyc/${TOKEN}`]);
    const noticeUrl = 'https://example.com/aviso-de-privacidad';
    const consent = { token: TOKEN, noticeVersion: '7', noticeUrl };
    expect(pages.sent()).toEqual([{ url: '/internal/kyc-links/consent', body: consent }]);
  });

  it('takes nothing by a GET or HEAD, as robots of chats send them', async () => {
    pages.link = missing('COMPLETED');
    for (const path of ['', '/aviso', '/frente', '/datos', '/terminar', '?aviso=guardado']) {
      for (const method of ['GET', 'HEAD']) {
        await pages.gateway.call(method, `/kyc/${TOKEN}${path}`, { key: undefined });
      }
    }
    expect(pages.sent()).toEqual([]);
  });

  it('asks again when the notice changed while it was read', async () => {
    expect((await pages.post('/aviso', new URLSearchParams({ version: '6' }))).status).toBe(303);
    expect(pages.sent()).toEqual([]);
  });

  it.each([
    [LINK, 'Paso 2 de 6', 'Frente de tu identificación'],
    [missing('DOCUMENT_IMAGE_BACK', 'COMPLETED'), 'Paso 3 de 6', 'Reverso de tu identificación'],
    [missing('SELFIE_IMAGE', 'COMPLETED'), 'Paso 4 de 6', 'capture="user"'],
    [missing('STORE_IMAGE', 'COMPLETED'), 'Paso 5 de 6', 'Foto de tu tienda'],
    [missing('CORNER_STORE_INFORMATION', 'COMPLETED'), 'Paso 6 de 6', 'Datos de tu tienda'],
    [missing('COMPLETED'), 'Último paso', 'Terminar'],
    [{ ...missing('STORE_IMAGE'), status: 'in-manual-validation' }, 'Paso 5', 'Foto de tu tienda'],
    [{ ...missing(), status: 'in-manual-validation' }, 'Estamos revisando', 'Ya recibimos todo'],
    [{ ...missing(), status: 'approved', consented: false }, 'aprobado', 'No falta nada'],
  ] as const)('goes on where it stopped: %#', async (state, ...words) => {
    pages.link = state as KycLinkAnswer;
    const { status, text } = await pages.get();
    expect(status).toBe(200);
    for (const word of words) expect(text).toContain(word);
  });

  it('shows a step again on request, and the first missing one for a step that it does not take', async () => {
    pages.link = missing('COMPLETED');
    expect((await pages.get('/frente')).text).toContain('Paso 2 de 6');
    expect((await pages.get('/datos')).text).toContain('Paso 6 de 6');
    for (const consented of [true, false]) {
      pages.link = { ...LINK, status: 'approved', consented };
      const away = await fetch(`${pages.gateway.url}/kyc/${TOKEN}/frente`, { redirect: 'manual' });
      expect([away.status, away.headers.get('location')]).toEqual([303, `/kyc/${TOKEN}`]);
    }
  });

  it('that is unknown or past its day is a friendly 404', async () => {
    pages.link = { valid: false };
    const { status, text } = await pages.get();
    expect([status, text.includes('Los enlaces duran 24 horas')]).toEqual([404, true]);
  });

  it.each(['x'.repeat(101), 'a%00b', 'a.b', '%ff'])(
    '%j is none: nobody is asked',
    async (token) => {
      expect((await pages.get('', token)).status).toBe(404);
      const form = new URLSearchParams(STORE);
      await fetch(`${pages.gateway.url}/kyc/${token}/datos`, { method: 'POST', body: form });
      expect(pages.asked).toEqual([]);
    },
  );

  it('is a 503 page with Retry-After while accounts is unavailable', async () => {
    await pages.gateway.upstreams.accounts.stop();
    const { status, text, headers } = await pages.get();
    await pages.gateway.upstreams.accounts.start();

    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(text).toContain('No pudimos atenderte ahora');
  });
});

describe('the data of the store', () => {
  it('is a form in Spanish, and recorded with the values of the API', async () => {
    pages.link = missing('CORNER_STORE_INFORMATION', 'COMPLETED');
    expect((await pages.get()).text).toMatch(/<option value="POLLERÍA" >\s*Pollería\s*<\/option>/);
    const { status, location } = await pages.post('/datos', new URLSearchParams(STORE));
    expect([status, location]).toEqual([303, `/kyc/${TOKEN}?aviso=guardado`]);
    const content = { step: 'CORNER_STORE_INFORMATION', information: STORE };
    expect(pages.sent()[0]?.body).toEqual({ token: TOKEN, noticeVersion: '7', content });
  });

  it('comes back as typed, with what is wrong marked', async () => {
    const typed = new URLSearchParams({ ...STORE, cornerStoreAddress: '\n ', localeOwner: 'X' });
    const { status, text } = await pages.post('/datos', typed);
    expect([status, text.match(/aria-invalid/g)?.length]).toEqual([422, 3]);
    expect(text).toContain('value="Abarrotes &quot;La Güera&quot;"');
    expect(text).toContain('<option value="POLLERÍA" selected>');
    expect(pages.sent()).toEqual([]);

    pages.outcome = 'refused';
    expect((await pages.post('/datos', new URLSearchParams(STORE))).status).toBe(422);
  });

  it('loses its control characters, which accounts would not take', async () => {
    const cornerStoreName = 'La\u0000Güera\r\n2';
    await pages.post('/datos', new URLSearchParams({ ...STORE, cornerStoreName }));
    expect(pages.sent()[0]?.body.content).toMatchObject({
      information: { cornerStoreName: 'La Güera 2' },
    });
  });
});

it('the end of an identity check is recorded as COMPLETED', async () => {
  pages.link = missing('COMPLETED');
  const { status, location } = await pages.post('/terminar');
  expect([status, location]).toEqual([303, `/kyc/${TOKEN}`]);
  const content = { step: 'COMPLETED' };
  expect(pages.sent()).toEqual([
    { url: '/internal/kyc-links/step', body: { token: TOKEN, noticeVersion: '7', content } },
  ]);
});
