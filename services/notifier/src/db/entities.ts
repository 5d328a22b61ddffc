import { WebhookEndpointRow } from '../webhooks/webhook-endpoint.entity';
import { WebhookReplayRow } from '../webhooks/webhook-replay.entity';
import { WebhookSecretRow } from '../webhooks/webhook-secret.entity';

/** The tables of notifier that are read and written by key. */
export const notifierEntities: Function[] = [
  WebhookEndpointRow,
  WebhookReplayRow,
  WebhookSecretRow,
];
