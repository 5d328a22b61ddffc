import { randomUUID } from 'node:crypto';
import { waitFor } from '../../e2e/support/api';
import sharp from 'sharp';
import type { Deployment } from './deployment';

/** Longer than the gateway's own deadline of 10 s. */
const CLIENT_TIMEOUT_MS = 15_000;
const PHONE = '+525559990001';

interface Target {
  url: string;
  key: string;
}

/** Onboarding images of one customer at a steady rate. */
export class UploadLoad {
  readonly #answers: Array<{ status: number; ms: number }> = [];
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  private constructor(private readonly target: Target) {}

  /** A wholesaler's customer whose onboarding has begun. */
  static async prepare({ system, database }: Deployment): Promise<UploadLoad> {
    const call = async (method: string, path: string, body: object) => {
      const answer = await system.call(system.opsKey, method, path, { body });
      if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}`);
      return answer.body;
    };
    const { wholesalerId, apiKey } = await call('POST', '/admin/wholesalers', {
      name: 'Abarrotera de las Fotos',
    });
    const imported = await call('POST', `/admin/wholesalers/${wholesalerId}/customers`, {
      customers: [
        {
          externalId: 'tienda-1',
          firstName: 'Lucía',
          lastNames: 'Ortega',
          phoneNumber: PHONE,
          creditLimit: 1_000,
          interestRate: 0.05,
        },
      ],
    });
    const [{ userId }] = imported.customers;
    const verificationId = randomUUID();
    // As createAccountVerification leaves it, without its code.
    await waitFor(async () => {
      const added = await database.query(
        `INSERT INTO accounts.verifications
           (id, user_id, wholesaler_id, phone, phone_index, code_salt, expires_at)
         SELECT $1, id, $3, phone, phone_index, '\\x00', now() FROM accounts.users WHERE id = $2
         RETURNING id`,
        [verificationId, userId, wholesalerId],
      );
      return added.length > 0 || undefined;
    });
    const path = `/v1/account/${userId}/verification/${verificationId}/onboarding`;
    const load = new UploadLoad({ url: `${system.baseUrl}${path}`, key: apiKey });
    await load.#upload();
    const [first] = load.#answers.splice(0);
    if (first?.status !== 200) throw new Error(`The first image was answered ${first?.status}`);
    return load;
  }

  start(perSecond: number): void {
    this.#timer = setInterval(() => {
      const upload = this.#upload().finally(() => this.#running.delete(upload));
      this.#running.add(upload);
    }, 1_000 / perSecond);
  }

  /** @returns how the images were answered, for a person */
  async stop(): Promise<string> {
    clearInterval(this.#timer);
    await Promise.all(this.#running);
    const slowest = Math.max(0, ...this.#answers.map(({ ms }) => ms));
    const byStatus = new Map<number, number>();
    for (const { status } of this.#answers) byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    const counts = [...byStatus].map(([status, count]) => `${count} × ${status}`).join(', ');
    return `${this.#answers.length} images: ${counts}; slowest ${(slowest / 1_000).toFixed(1)} s`;
  }

  async #upload(): Promise<void> {
    const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
    const image = await sharp({
      create: { width: 400, height: 300, channels: 3, background: '#888888', noise },
    })
      .jpeg()
      .toBuffer();
    const at = Date.now();
    const status = await fetch(this.target.url, {
      method: 'PUT',
      headers: {
        authorization: this.target.key,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({
        step: 'SELFIE_IMAGE',
        document: { fileExtension: 'jpg', base64Content: image.toString('base64') },
      }),
      signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
    }).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.status;
      },
      () => 0,
    );
    this.#answers.push({ status, ms: Date.now() - at });
  }
}
