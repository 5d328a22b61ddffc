/** What the secret of a webhook endpoint is sealed for. */
export const WEBHOOK_SECRET_PURPOSE = 'webhook-secret';
