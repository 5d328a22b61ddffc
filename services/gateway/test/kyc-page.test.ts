import type { KycLinkAnswer, ValidKycLink } from '@fiado/shared/contracts/kyc-link';
import type { ErrorCode } from '@fiado/shared/contracts/errors';
import { answerError, startTestGateway, readAll, type TestGateway } from './support/test-gateway';

const TOKEN = 'q3'.repeat(21) + '_';
const LINK: ValidKycLink = {
  valid: true,
  wholesalerId: '01a20536-9c1e-74b8-b363-3f3a66fc2f01',
  firstName: 'Lucía',
  status: 'pre-approved',
  missingSteps: [
    'DOCUMENT_IMAGE_FRONTAL',
    'DOCUMENT_IMAGE_BACK',
    'SELFIE_IMAGE',
    'STORE_IMAGE',
    'CORNER_STORE_INFORMATION',
    'COMPLETED',
  ],
  consented: true,
};
const JPEG = Buffer.from('ffd8ffe000104a46494600', 'hex');
const STORE = {
  cornerStoreName: 'Abarrotes "La Güera"',
  cornerStoreAddress: 'Av. Juárez 12, Puebla',
  cornerStoreType: 'POLLERÍA',
  businessLifetime: 'THREE-TO-FIVE_YEARS',
  ownershipStatus: 'DUEÑO',
  localeOwner: 'PROPIO',
};

let gateway: TestGateway;
let link: KycLinkAnswer;
let outcome: string;
let refusal: ErrorCode | undefined;
let asked: Array<{ url: string | undefined; body: Record<string, unknown> }>;
beforeAll(async () => {
  gateway = await startTestGateway({ config: { PRIVACY_VERSION: '7' } });
  gateway.upstreams.accounts.answer = (req, res) =>
    void readAll(req).then((text) => {
      asked.push({ url: req.url, body: JSON.parse(text) as Record<string, unknown> });
      if (req.url === '/internal/kyc-links/open') res.end(JSON.stringify(link));
      else if (refusal !== undefined) answerError(res, refusal);
      else res.end(JSON.stringify({ outcome }));
    });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  asked = [];
  link = LINK;
  outcome = 'recorded';
  refusal = undefined;
});

const get = (path = '', token = TOKEN) =>
  gateway.call('GET', `/kyc/${token}${path}`, { key: undefined });
const missing = (...missingSteps: ValidKycLink['missingSteps']) => ({ ...LINK, missingSteps });

interface Page {
  status: number;
  text: string;
  location: string | null;
}

async function post(path: string, body: RequestInit['body'], headers = {}): Promise<Page> {
  const response = await fetch(`${gateway.url}/kyc/${TOKEN}${path}`, {
    method: 'POST',
    body: body ?? null,
    headers,
    redirect: 'manual',
  });
  const { status } = response;
  return { status, text: await response.text(), location: response.headers.get('location') };
}

function sendPhoto(bytes: Buffer, path = '/cara'): Promise<Page> {
  const form = new FormData();
  form.append('photo', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'foto.jpg');
  return post(path, form);
}

/** What was sent to accounts, without the questions about the link. */
const sent = () => asked.filter(({ url }) => url !== '/internal/kyc-links/open');

describe('a link of an identity check', () => {
  it('begins with the consent to the privacy notice, and sends its version', async () => {
    link = { ...LINK, consented: false };
    const { text, headers } = await get();
    expect(text).toContain('Paso 1 de 6');
    expect(text).toContain('https://example.com/aviso-de-privacidad');
    expect(text).not.toMatch(/Lucía|<script|type="file"/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(asked).toEqual([
      { url: '/internal/kyc-links/open', body: { token: TOKEN, noticeVersion: '7' } },
    ]);

    const answer = await post('/aviso', new URLSearchParams({ version: '7' }));
    expect([answer.status, answer.location]).toEqual([303, `/kyc/${TOKEN}`]);
    const noticeUrl = 'https://example.com/aviso-de-privacidad';
    const consent = { token: TOKEN, noticeVersion: '7', noticeUrl };
    expect(sent()).toEqual([{ url: '/internal/kyc-links/consent', body: consent }]);
  });

  it('asks again when the notice changed while it was read', async () => {
    expect((await post('/aviso', new URLSearchParams({ version: '6' }))).status).toBe(303);
    expect(sent()).toEqual([]);
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
    link = state as KycLinkAnswer;
    const { status, text } = await get();
    expect(status).toBe(200);
    for (const word of words) expect(text).toContain(word);
  });

  it('shows a step again on request, and the first missing one for a step that it does not take', async () => {
    link = missing('COMPLETED');
    expect((await get('/frente')).text).toContain('Paso 2 de 6');
    expect((await get('/datos')).text).toContain('Paso 6 de 6');
    for (const consented of [true, false]) {
      link = { ...LINK, status: 'approved', consented };
      const away = await fetch(`${gateway.url}/kyc/${TOKEN}/frente`, { redirect: 'manual' });
      expect([away.status, away.headers.get('location')]).toEqual([303, `/kyc/${TOKEN}`]);
    }
  });

  it('that is unknown or past its day is a friendly 404', async () => {
    link = { valid: false };
    const { status, text } = await get();
    expect([status, text.includes('Los enlaces duran 24 horas')]).toEqual([404, true]);
  });

  it.each(['x'.repeat(101), 'a%00b', 'a.b', '%ff'])(
    '%j is none: nobody is asked',
    async (token) => {
      expect((await get('', token)).status).toBe(404);
      const form = new URLSearchParams(STORE);
      await fetch(`${gateway.url}/kyc/${token}/datos`, { method: 'POST', body: form });
      expect(asked).toEqual([]);
    },
  );

  it('is a 503 page with Retry-After while accounts is unavailable', async () => {
    await gateway.upstreams.accounts.stop();
    const { status, text, headers } = await get();
    await gateway.upstreams.accounts.start();

    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(text).toContain('No pudimos atenderte ahora');
  });
});

describe('a picture', () => {
  it.each([
    ['frente', 'DOCUMENT_IMAGE_FRONTAL', JPEG, 'jpg'],
    ['reverso', 'DOCUMENT_IMAGE_BACK', JPEG, 'jpg'],
    ['cara', 'SELFIE_IMAGE', Buffer.from('89504e470d0a1a0a00', 'hex'), 'png'],
    ['tienda', 'STORE_IMAGE', Buffer.concat([JPEG, Buffer.alloc(3_000_000)]), 'jpg'],
  ])('of the step %s is recorded as %s', async (path, step, bytes, fileExtension) => {
    const { status, location } = await sendPhoto(bytes, `/${path}`);
    expect([status, location]).toEqual([303, `/kyc/${TOKEN}?aviso=guardado`]);
    const document = { fileExtension, base64Content: bytes.toString('base64') };
    const body = { token: TOKEN, noticeVersion: '7', content: { step, document } };
    expect(sent()).toEqual([{ url: '/internal/kyc-links/step', body }]);
    expect((await get('?aviso=guardado')).text).toContain('Listo, lo guardamos.');
  });

  it.each([
    ['of another format', Buffer.from('GIF89a'), 400, 'no es una foto JPG o PNG'],
    ['of no bytes', Buffer.alloc(0), 400, 'Falta la foto'],
    ['above 5 MB', Buffer.concat([JPEG, Buffer.alloc(5 * 2 ** 20)]), 413, 'pesa más de 5 MB'],
    ['above 8 MB', Buffer.concat([JPEG, Buffer.alloc(9 * 2 ** 20)]), 413, 'pesa más de 5 MB'],
  ])('%s is refused by name, and nothing is sent on', async (_what, bytes, status, words) => {
    const answer = await sendPhoto(bytes);
    expect([answer.status, answer.text.includes(words)]).toEqual([status, true]);
    expect(answer.text).toContain('Paso 4 de 6');
    expect(sent()).toEqual([]);
  });

  it('that accounts cannot read is refused by name', async () => {
    outcome = 'refused';
    const { status, text } = await sendPhoto(JPEG);
    expect([status, text.includes('No pudimos abrir esa foto')]).toEqual([400, true]);
  });

  it.each([
    ['DOCUMENT_LIMIT_REACHED', 422, 'demasiadas veces'],
    ['TOO_MANY_ATTEMPTS', 429, 'límite de fotos de hoy'],
    ['RATE_LIMIT_EXCEEDED', 429, 'muchas fotos en espera'],
    ['SERVICE_UNAVAILABLE', 503, 'No pudimos atenderte ahora'],
  ] as const)('refused with %s tells what to do', async (code, status, words) => {
    refusal = code;
    const answer = await sendPhoto(JPEG);
    expect([answer.status, answer.text.includes(words)]).toEqual([status, true]);
  });

  it.each([
    ['without consent', { ...LINK, consented: false }],
    ['of an ended link', { valid: false }],
    ['of an approved store', { ...LINK, status: 'approved' }],
  ])('%s is not sent on', async (_what, state) => {
    link = state as KycLinkAnswer;
    const { status, location } = await sendPhoto(JPEG);
    expect([status, location]).toEqual([303, `/kyc/${TOKEN}`]);
    expect(sent()).toEqual([]);
  });

  it.each([
    ['another form', 'photo=1', 'application/x-www-form-urlencoded'],
    ['a form without a boundary', 'x', 'multipart/form-data'],
    [
      'a form that breaks off',
      '--b\r\nContent-Disposition: form-data; name="photo"; filename="f"\r\n\r\nabc',
      'multipart/form-data; boundary=b',
    ],
    [
      'a form with another field',
      '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--b--\r\n',
      'multipart/form-data; boundary=b',
    ],
  ])('in %s is a 400', async (_what, body, type) => {
    expect((await post('/cara', body, { 'content-type': type })).status).toBe(400);
    expect(sent()).toEqual([]);
  });

  it('takes only the first of two files', async () => {
    const form = new FormData();
    for (const bytes of [JPEG, Buffer.alloc(50)]) {
      form.append('photo', new Blob([new Uint8Array(bytes)]), 'foto.jpg');
    }
    expect((await post('/cara', form)).status).toBe(303);
    const { document } = sent()[0]?.body.content as { document: { base64Content: string } };
    expect(document.base64Content).toBe(JPEG.toString('base64'));
  });

  it('of a step that does not exist is a 404', async () => {
    expect((await sendPhoto(JPEG, '/otra')).status).toBe(404);
  });

  it('counts against the bytes of bodies that are refused', async () => {
    const large = Buffer.alloc(4_500_000);
    expect((await sendPhoto(large)).status).toBe(400);
    const answer = await sendPhoto(Buffer.concat([JPEG, Buffer.alloc(50_000)]));
    expect([answer.status, answer.text.includes('muchas fotos')]).toEqual([429, true]);
    gateway.advance(10_000);
    expect((await sendPhoto(Buffer.concat([JPEG, Buffer.alloc(50_000)]))).status).toBe(303);
  });
});

describe('the data of the store', () => {
  it('is a form in Spanish, and recorded with the values of the API', async () => {
    link = missing('CORNER_STORE_INFORMATION', 'COMPLETED');
    expect((await get()).text).toMatch(/<option value="POLLERÍA" >\s*Pollería\s*<\/option>/);
    const { status, location } = await post('/datos', new URLSearchParams(STORE));
    expect([status, location]).toEqual([303, `/kyc/${TOKEN}?aviso=guardado`]);
    const content = { step: 'CORNER_STORE_INFORMATION', information: STORE };
    expect(sent()[0]?.body).toEqual({ token: TOKEN, noticeVersion: '7', content });
  });

  it('comes back as typed, with what is wrong marked', async () => {
    const typed = new URLSearchParams({ ...STORE, cornerStoreAddress: '\n ', localeOwner: 'X' });
    const { status, text } = await post('/datos', typed);
    expect([status, text.match(/aria-invalid/g)?.length]).toEqual([422, 3]);
    expect(text).toContain('value="Abarrotes &quot;La Güera&quot;"');
    expect(text).toContain('<option value="POLLERÍA" selected>');
    expect(sent()).toEqual([]);

    outcome = 'refused';
    expect((await post('/datos', new URLSearchParams(STORE))).status).toBe(422);
  });

  it('loses its control characters, which accounts would not take', async () => {
    const cornerStoreName = 'La\u0000Güera\r\n2';
    await post('/datos', new URLSearchParams({ ...STORE, cornerStoreName }));
    expect(sent()[0]?.body.content).toMatchObject({
      information: { cornerStoreName: 'La Güera 2' },
    });
  });
});

it('the end of an identity check is recorded as COMPLETED', async () => {
  link = missing('COMPLETED');
  const { status, location } = await post('/terminar', undefined);
  expect([status, location]).toEqual([303, `/kyc/${TOKEN}`]);
  const content = { step: 'COMPLETED' };
  expect(sent()).toEqual([
    { url: '/internal/kyc-links/step', body: { token: TOKEN, noticeVersion: '7', content } },
  ]);
});
