import { randomUUID } from 'node:crypto';
import type { World } from '../../../contract/support/world';

/** A webhook endpoint, with a secret that is replaced; nothing listens there. */
export async function subscribe({ system, wholesaler }: World): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() };
  const post = (path: string, body: object) =>
    system.call(wholesaler.key, 'POST', path, { body, headers });
  const endpoint = { url: 'http://127.0.0.1:9/', signatures: ['v1', 'v1a'] };
  const { body } = await post('/webhook-endpoints', endpoint);
  await post(`/webhook-endpoints/${body.webhookEndpointId}/rotate-secret`, {});
}
