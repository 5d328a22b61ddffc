import type { LinkState } from '@fiado/contracts/links';
import type { ErrorCode } from '@fiado/contracts/errors';
import { JPEG, KycPages, LINK, TOKEN } from '../../services/gateway/test/support/kyc-pages';
import { answerQuestions, ID, OPEN, ORDER } from '../../services/gateway/test/support/order-pages';
import { tourPages, tourScriptedPages, type Tour } from './support/browser';

/*
 * States that a story cannot bring about, in front of stand-ins of the services.
 */
let kyc: KycPages;
let order: LinkState | ErrorCode;
let debt: object | ErrorCode;
const DEBT = {
  amountDue: 100_000_000,
  amountPaid: 99_999_999.99,
  status: 'overdue',
  paymentDate: ORDER.paymentDate,
  idFactura: '8743521194156',
  numeroReferencia: '566321483984',
};

beforeAll(async () => {
  kyc = await KycPages.start();
  const { transactions, payments } = kyc.gateway.upstreams;
  answerQuestions(transactions, ({ url }) => (url === OPEN ? order : 'VERIFICATION_NOT_VALID'));
  answerQuestions(payments, () => debt);
});
afterAll(() => kyc.gateway.stop());
beforeEach(() => kyc.reset());

const pathOf = (path: string) => `${kyc.gateway.url}${path}`;

async function sendPhoto(page: Tour, buffer: Buffer, words: string): Promise<void> {
  const file = { name: 'foto.jpg', mimeType: 'image/jpeg', buffer };
  await page.page.getByLabel('Foto').setInputFiles(file);
  await page.press('Enviar foto');
  await page.page.getByText(words).waitFor();
}

tourScriptedPages('every refusal of a picture says what to do', async (page) => {
  await page.goto(pathOf(`/kyc/${TOKEN}`));
  await page.page.locator('form').evaluate((form) => form.setAttribute('novalidate', ''));
  await page.press('Enviar foto');
  await page.page.getByText('Falta la foto').waitFor();
  await page.look('refused-1-no-photo');
  await sendPhoto(page, Buffer.concat([JPEG, Buffer.alloc(6 * 2 ** 20)]), 'pesa más de 5 MB');
  await page.look('refused-2-too-large');
  kyc.outcome = 'refused';
  await sendPhoto(page, JPEG, 'No pudimos abrir esa foto');
  await page.look('refused-3-unreadable');
  for (const [code, words, name] of [
    ['DOCUMENT_LIMIT_REACHED', 'demasiadas veces', 'refused-4-too-many'],
    ['TOO_MANY_ATTEMPTS', 'límite de fotos de hoy', 'refused-5-none-today'],
    ['RATE_LIMIT_EXCEEDED', 'muchas fotos en espera', 'refused-6-busy'],
  ] as const) {
    kyc.refusal = code;
    await sendPhoto(page, JPEG, words);
    await page.look(name);
  }
  kyc.reset();
  kyc.link = { ...LINK, missingSteps: ['COMPLETED'] };
  await page.goto(pathOf(`/kyc/${TOKEN}/datos`));
  await page.look('refused-7-data-again');
});

tourPages('failures of services are pages that say when to come back', async (page) => {
  const { upstreams } = kyc.gateway;
  const link = pathOf(`/pedido/${ID}`);
  order = { state: 'delivered', wholesalerId: LINK.wholesalerId, order: ORDER };
  debt = 'SERVICE_UNAVAILABLE';
  await page.goto(link);
  expect(await page.text()).toContain('En este momento no podemos mostrar cómo pagar');
  await page.look('failure-1-debt-later');
  // An answer that no service gives.
  order = { state: 'confirmed' } as LinkState;
  await page.goto(link);
  expect(await page.text()).toContain('de nuestro lado');
  await page.look('failure-2-internal');
  await upstreams.transactions.stop();
  await page.goto(link);
  await upstreams.transactions.start();
  expect(await page.text()).toContain('No pudimos atenderte ahora');
  await page.look('failure-3-away');
  await page.goto(`${link}/nada`);
  expect(await page.text()).toContain('Esta página no existe');
  await page.look('failure-4-no-such-page');
  order = { state: 'waiting', phoneMasked: '********5678', code: 'valid' };
  await page.goto(link);
  const input = page.page.getByLabel('Clave de seis números');
  await input.evaluate((field) => {
    field.removeAttribute('maxlength');
    field.closest('form')?.setAttribute('novalidate', '');
  });
  await input.fill('1'.repeat(3_000));
  await page.press('Ver mi pedido');
  expect(await page.text()).toContain('Lo que enviaste pesa demasiado');
  await page.look('failure-5-too-long');
  order = 'RATE_LIMIT_EXCEEDED';
  await page.goto(link);
  expect(await page.text()).toContain('Hay demasiadas visitas');
  await page.look('failure-6-too-fast');
  order = 'MALFORMED_REQUEST';
  await page.goto(link);
  expect(await page.text()).toContain('No entendimos lo que enviaste');
  await page.look('failure-7-not-understood');
});

tourPages('the longest names and amounts fit a small phone', async (page) => {
  const name = 'Distribuidora'.repeat(7);
  order = {
    state: 'delivered',
    wholesalerId: LINK.wholesalerId,
    order: {
      ...ORDER,
      wholesaler: name,
      products: Array.from({ length: 3 }, () => ({ name, quantity: 999_999.999 })),
      totalAmount: 100_000_000,
      interests: 99_999_999.99,
      IVAAmount: 16_000_000,
      totalAmountWithInterests: 215_999_999.99,
    },
  };
  debt = DEBT;
  await page.goto(pathOf(`/pedido/${ID}`));
  expect(await page.text()).toContain('$100,000,000.00');
  await page.look('longest-1-debt');
});
