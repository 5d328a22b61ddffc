import type { Endpoint } from '@fiado/chassis/http/endpoint';
import { invariantsEndpoint } from '@fiado/chassis/invariants/endpoints';
import { afterBlockEndpoint } from '@fiado/chassis/privacy/after-block';
import { leftoversEndpoint } from '@fiado/chassis/privacy/leftovers';
import { personalDataEndpoint } from '@fiado/chassis/privacy/personal-data-pages';
import type { Context } from './context';
import { PERSONAL_DATA, TOLD_AFTER_BLOCK } from './db/personal-data';
import { SEALED_TABLES } from './db/sealed-columns';
import { changeEventSettingsEndpoint } from './events/change-event-settings';
import { listEventsEndpoint, listEventTypesEndpoint } from './events/list-events';
import { smsBudgetEndpoint, smsStatusEndpoint } from './messages/answer-sms-questions';
import { searchMessagesEndpoint, timelineEndpoint } from './messages/list-messages';
import { listSandboxMessagesEndpoint } from './messages/list-sandbox-messages';
import { replyInSandboxEndpoint } from './messages/reply-in-sandbox';
import { resendMessagesEndpoint } from './messages/resend-messages';
import { scansOf } from './ops/invariants';
import { listJobsEndpoint } from './ops/list-jobs';
import { opsFiguresEndpoint } from './ops/message-figures';
import { retryJobEndpoint, retryJobsEndpoint } from './ops/retry-jobs';
import {
  enableWebhookEndpointEndpoint,
  listAllWebhookEndpointsEndpoint,
} from './webhooks/admin-webhook-endpoints';
import { createWebhookEndpointEndpoint } from './webhooks/create-webhook-endpoint';
import { deleteWebhookEndpointEndpoint } from './webhooks/delete-webhook-endpoint';
import { getDeliveryEndpoint } from './webhooks/get-delivery';
import { listDeliveriesEndpoint } from './webhooks/list-deliveries';
import { listFailingDeliveriesEndpoint } from './webhooks/list-failing-deliveries';
import {
  getWebhookEndpointEndpoint,
  listWebhookEndpointsEndpoint,
} from './webhooks/list-webhook-endpoints';
import { replayEventsEndpoint } from './webhooks/replay-events';
import { resendDeliveryEndpoint } from './webhooks/resend-delivery';
import { rotateWebhookSecretEndpoint } from './webhooks/rotate-webhook-secret';
import { testWebhookEndpointEndpoint } from './webhooks/test-webhook-endpoint';
import { updateWebhookEndpointEndpoint } from './webhooks/update-webhook-endpoint';

/** The endpoints of the notifier; then those that services call. */
export const routes: Array<Endpoint<Context>> = [
  listEventTypesEndpoint,
  createWebhookEndpointEndpoint,
  listWebhookEndpointsEndpoint,
  getWebhookEndpointEndpoint,
  updateWebhookEndpointEndpoint,
  deleteWebhookEndpointEndpoint,
  testWebhookEndpointEndpoint,
  rotateWebhookSecretEndpoint,
  replayEventsEndpoint,
  listDeliveriesEndpoint,
  getDeliveryEndpoint,
  resendDeliveryEndpoint,
  listAllWebhookEndpointsEndpoint,
  enableWebhookEndpointEndpoint,
  listFailingDeliveriesEndpoint,
  listEventsEndpoint,
  changeEventSettingsEndpoint,
  searchMessagesEndpoint,
  resendMessagesEndpoint,
  listSandboxMessagesEndpoint,
  replyInSandboxEndpoint,
  listJobsEndpoint,
  retryJobsEndpoint,
  retryJobEndpoint,
  invariantsEndpoint('notifier', ({ keepsBodies }: Context) => scansOf({ wiped: !keepsBodies })),
  smsBudgetEndpoint,
  smsStatusEndpoint,
  opsFiguresEndpoint,
  timelineEndpoint,
  leftoversEndpoint({ data: PERSONAL_DATA }),
  afterBlockEndpoint(TOLD_AFTER_BLOCK),
  personalDataEndpoint(({ sealer }: Context) => ({
    data: PERSONAL_DATA,
    sealed: SEALED_TABLES,
    sealer,
  })),
];
