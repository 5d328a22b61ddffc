import type { KycLinkAnswer } from '@fiado/shared/contracts/kyc-link';
import { startTestGateway, readAll, type TestGateway } from './support/test-gateway';

const TOKEN = 'q3'.repeat(21) + '_';

let gateway: TestGateway;
let answer: KycLinkAnswer;
let asked: unknown[];
beforeAll(async () => {
  gateway = await startTestGateway();
  gateway.upstreams.accounts.answer = (req, res) =>
    void readAll(req).then((body) => {
      asked.push({ url: req.url, body: JSON.parse(body) });
      res.end(JSON.stringify(answer));
    });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  asked = [];
});

const open = (token = TOKEN) => gateway.call('GET', `/kyc/${token}`, { key: undefined });

describe('a link of an identity check', () => {
  it('shows the missing steps in their order, and no name', async () => {
    answer = {
      valid: true,
      firstName: 'Lucía',
      status: 'pre-approved',
      missingSteps: ['DOCUMENT_IMAGE_BACK', 'STORE_IMAGE', 'COMPLETED'],
    };
    const { status, text, headers } = await open();

    expect(status).toBe(200);
    expect(text.match(/<li>.*?<\/li>/g)).toEqual([
      '<li>Foto del reverso de tu identificación oficial</li>',
      '<li>Foto de tu tienda</li>',
    ]);
    expect(text).not.toMatch(/Lucía|<script/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(asked).toEqual([{ url: '/internal/kyc-links/open', body: { token: TOKEN } }]);
  });

  it.each([
    ['approved', [], 'Tu crédito está aprobado'],
    ['in-manual-validation', [], 'Estamos revisando tus datos'],
    ['in-manual-validation', ['SELFIE_IMAGE'], 'Todavía no tenemos'],
    ['pre-approved', ['COMPLETED'], 'Ya tenemos todo'],
  ] as const)(
    'of a store that is %s shows the missing steps %j',
    async (status, missing, words) => {
      answer = { valid: true, firstName: 'Lucía', status, missingSteps: [...missing] };
      expect((await open()).text).toContain(words);
    },
  );

  it('that is unknown or past its day is a friendly 404', async () => {
    answer = { valid: false };
    const { status, text } = await open();
    expect([status, text.includes('Los enlaces duran 24 horas')]).toEqual([404, true]);
  });

  it.each(['x'.repeat(101), 'a%00b', 'a.b', '%ff'])(
    '%j is none: nobody is asked',
    async (token) => {
      expect((await open(token)).status).toBe(404);
      expect(asked).toEqual([]);
    },
  );

  it('is a 503 page with Retry-After while accounts is unavailable', async () => {
    await gateway.upstreams.accounts.stop();
    const { status, text, headers } = await open();
    await gateway.upstreams.accounts.start();

    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(text).toContain('No pudimos atenderte ahora');
  });
});
