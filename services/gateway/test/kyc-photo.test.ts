import type { KycLinkAnswer } from '@fiado/contracts/kyc-link';
import { JPEG, KycPages, LINK, TOKEN } from './support/kyc-pages';

let pages: KycPages;
beforeAll(async () => {
  pages = await KycPages.start();
});
afterAll(() => pages.gateway.stop());
beforeEach(() => pages.reset());

it('only the page of a picture may run scripts, and only those of the gateway', async () => {
  const policyOf = async (path = '') =>
    (await pages.get(path)).headers.get('content-security-policy') ?? '';
  expect(await policyOf()).toMatch(/default-src 'none';.*; script-src 'self'; img-src blob:$/);
  expect((await pages.get()).text.match(/<script[^>]*>/g)).toEqual([
    '<script src="/kyc/foto.js" defer>',
  ]);
  for (const path of ['/datos', 'x.']) expect(await policyOf(path)).not.toContain('script-src');

  const { headers, text } = await pages.gateway.call('GET', '/kyc/foto.js', { key: undefined });
  expect(headers.get('content-type')).toContain('text/javascript');
  expect(headers.get('cache-control')).toBe('public, max-age=86400');
  expect(text).toContain('createImageBitmap');
});

describe('a picture', () => {
  it.each([
    ['frente', 'DOCUMENT_IMAGE_FRONTAL', JPEG, 'jpg'],
    ['reverso', 'DOCUMENT_IMAGE_BACK', JPEG, 'jpg'],
    ['cara', 'SELFIE_IMAGE', Buffer.from('89504e470d0a1a0a00', 'hex'), 'png'],
    ['tienda', 'STORE_IMAGE', Buffer.concat([JPEG, Buffer.alloc(3_000_000)]), 'jpg'],
  ])('of the step %s is recorded as %s', async (path, step, bytes, fileExtension) => {
    const { status, location } = await pages.sendPhoto(bytes, `/${path}`);
    expect([status, location]).toEqual([303, `/kyc/${TOKEN}?aviso=guardado`]);
    const document = { fileExtension, base64Content: bytes.toString('base64') };
    const body = { token: TOKEN, noticeVersion: '7', content: { step, document } };
    expect(pages.sent()).toEqual([{ url: '/internal/kyc-links/step', body }]);
    expect((await pages.get('?aviso=guardado')).text).toContain('Listo, lo guardamos.');
  });

  it.each([
    ['narrow', { isSmall: true }, 'chica'],
    ['blurred', { isBlurred: true }, 'borrosa'],
    ['both', { isSmall: true, isBlurred: true }, 'chica'],
  ])('that is %s is kept, and the next page offers to take another', async (_, found, flaw) => {
    pages.found = found;
    const { location } = await pages.sendPhoto(JPEG, '/frente');
    expect(location).toBe(`/kyc/${TOKEN}?aviso=${flaw}-frente`);
    const { text } = await pages.get(`?aviso=${flaw}-frente`);
    expect(text).toMatch(new RegExp(`se ve ${flaw}[^]*href="/kyc/\\w+/frente">Tomar otra<`));
    expect((await pages.get(`?aviso=${flaw}-otra`)).text).not.toContain(flaw);
  });

  it.each([
    ['of another format', Buffer.from('GIF89a'), 400, 'no es una foto JPG o PNG'],
    ['of no bytes', Buffer.alloc(0), 400, 'Falta la foto'],
    ['above 5 MB', Buffer.concat([JPEG, Buffer.alloc(5 * 2 ** 20)]), 413, 'pesa más de 5 MB'],
    ['above 8 MB', Buffer.concat([JPEG, Buffer.alloc(9 * 2 ** 20)]), 413, 'pesa más de 5 MB'],
  ])('%s is refused by name, and nothing is sent on', async (_what, bytes, status, words) => {
    const answer = await pages.sendPhoto(bytes);
    expect([answer.status, answer.text.includes(words)]).toEqual([status, true]);
    expect(answer.text).toContain('Paso 4 de 6');
    expect(pages.sent()).toEqual([]);
  });

  it('that accounts cannot read is refused by name', async () => {
    pages.outcome = 'refused';
    const { status, text } = await pages.sendPhoto(JPEG);
    expect([status, text.includes('No pudimos abrir esa foto')]).toEqual([400, true]);
  });

  it.each([
    ['DOCUMENT_LIMIT_REACHED', 422, 'demasiadas veces'],
    ['TOO_MANY_ATTEMPTS', 429, 'límite de fotos de hoy'],
    ['RATE_LIMIT_EXCEEDED', 429, 'muchas fotos en espera'],
    ['SERVICE_UNAVAILABLE', 503, 'No pudimos atenderte ahora'],
  ] as const)('refused with %s tells what to do', async (code, status, words) => {
    pages.refusal = code;
    const answer = await pages.sendPhoto(JPEG);
    expect([answer.status, answer.text.includes(words)]).toEqual([status, true]);
  });

  it.each([
    ['without consent', { ...LINK, consented: false }],
    ['of an ended link', { valid: false }],
    ['of an approved store', { ...LINK, status: 'approved' }],
  ])('%s is not sent on', async (_what, state) => {
    pages.link = state as KycLinkAnswer;
    const { status, location } = await pages.sendPhoto(JPEG);
    expect([status, location]).toEqual([303, `/kyc/${TOKEN}`]);
    expect(pages.sent()).toEqual([]);
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
    expect((await pages.post('/cara', body, { 'content-type': type })).status).toBe(400);
    expect(pages.sent()).toEqual([]);
  });

  it('takes only the first of two files', async () => {
    const form = new FormData();
    for (const bytes of [JPEG, Buffer.alloc(50)]) {
      form.append('photo', new Blob([new Uint8Array(bytes)]), 'foto.jpg');
    }
    expect((await pages.post('/cara', form)).status).toBe(303);
    const { document } = Object(pages.sent()[0]?.body.content);
    expect(document.base64Content).toBe(JPEG.toString('base64'));
  });

  it('of a step that does not exist is a 404', async () => {
    expect((await pages.sendPhoto(JPEG, '/otra')).status).toBe(404);
  });

  it('counts against the bytes of bodies that are refused', async () => {
    const large = Buffer.alloc(4_500_000);
    expect((await pages.sendPhoto(large)).status).toBe(400);
    const answer = await pages.sendPhoto(Buffer.concat([JPEG, Buffer.alloc(50_000)]));
    expect([answer.status, answer.text.includes('muchas fotos')]).toEqual([429, true]);
    pages.gateway.advance(10_000);
    expect((await pages.sendPhoto(Buffer.concat([JPEG, Buffer.alloc(50_000)]))).status).toBe(303);
  });
});
