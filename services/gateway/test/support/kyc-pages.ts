import type { Answer } from '@fiado/chassis/testing/call';
import type { ErrorCode } from '@fiado/contracts/errors';
import type { KycLinkAnswer, KycStepAnswer, ValidKycLink } from '@fiado/contracts/kyc-link';
import { answerError, readAll, startTestGateway, type TestGateway } from './test-gateway';

export const TOKEN = 'q3'.repeat(21) + '_';
/** A link whose owner has consented, and sent nothing yet. */
export const LINK: ValidKycLink = {
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
/** The beginning of a JPEG. */
export const JPEG = Buffer.from('ffd8ffe000104a46494600', 'hex');

interface Asked {
  url: string | undefined;
  body: Record<string, unknown>;
}

interface Page {
  status: number;
  text: string;
  location: string | null;
}

/** The pages of identity links, with a stand-in for accounts that answers as its fields tell. */
export class KycPages {
  link: KycLinkAnswer = LINK;
  outcome = 'recorded';
  /** What accounts found about a picture that it recorded. */
  found: Pick<KycStepAnswer, 'isSmall' | 'isBlurred'> = {};
  refusal: ErrorCode | undefined;
  asked: Asked[] = [];

  private constructor(readonly gateway: TestGateway) {}

  static async start(config: Record<string, string> = {}): Promise<KycPages> {
    const gateway = await startTestGateway({ config: { PRIVACY_VERSION: '7', ...config } });
    const pages = new KycPages(gateway);
    gateway.upstreams.accounts.answer = (req, res) =>
      void readAll(req).then((text) => {
        pages.asked.push({ url: req.url, body: JSON.parse(text) as Record<string, unknown> });
        if (req.url === '/internal/kyc-links/open') res.end(JSON.stringify(pages.link));
        else if (pages.refusal !== undefined) answerError(res, pages.refusal);
        else res.end(JSON.stringify({ outcome: pages.outcome, ...pages.found }));
      });
    return pages;
  }

  reset(): void {
    this.link = LINK;
    this.outcome = 'recorded';
    this.found = {};
    this.refusal = undefined;
    this.asked = [];
  }

  get(path = '', token = TOKEN): Promise<Answer> {
    return this.gateway.call('GET', `/kyc/${token}${path}`, { key: undefined });
  }

  async post(path: string, body: RequestInit['body'] = null, headers = {}): Promise<Page> {
    const url = `${this.gateway.url}/kyc/${TOKEN}${path}`;
    const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual' });
    const { status } = response;
    return { status, text: await response.text(), location: response.headers.get('location') };
  }

  sendPhoto(bytes: Buffer, path = '/cara'): Promise<Page> {
    const form = new FormData();
    form.append('photo', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'foto.jpg');
    return this.post(path, form);
  }

  /** What was sent to accounts, without the questions about the link. */
  sent(): Asked[] {
    return this.asked.filter(({ url }) => url !== '/internal/kyc-links/open');
  }
}
