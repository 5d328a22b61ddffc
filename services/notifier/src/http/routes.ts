import type { Endpoint } from '@fiado/chassis/http/endpoint';
import { invariantsEndpoint } from '@fiado/chassis/invariants/endpoints';
import type { Context } from '../context';
import { scansWhere } from '../db/invariants';
import {
  enableWebhookEndpointEndpoint,
  listAllWebhookEndpointsEndpoint,
} from './admin-webhook-endpoints';
import { changeEventSettingsEndpoint } from './change-event-settings';
import {
  smsBudgetEndpoint,
  smsStatusEndpoint,
  opsFiguresEndpoint,
  timelineEndpoint,
} from './internal';
import { listEventsEndpoint } from './list-events';
import { listJobsEndpoint } from './list-jobs';
import { listMessagesEndpoint, searchMessagesEndpoint } from './list-messages';
import { listSandboxMessagesEndpoint } from './list-sandbox-messages';
import { retryJobEndpoint } from './retry-job';
import { retryJobsEndpoint } from './retry-jobs';
import { createWebhookEndpointEndpoint } from './create-webhook-endpoint';
import { listEventTypesEndpoint } from './list-event-types';
import { listFailingDeliveriesEndpoint } from './list-failing-deliveries';
import { listWebhookEndpointsEndpoint } from './list-webhook-endpoints';
import { resendMessagesEndpoint } from './resend-messages';
import {
  replayEventsEndpoint,
  rotateWebhookSecretEndpoint,
  testWebhookEndpointEndpoint,
} from './webhook-actions';
import {
  getDeliveryEndpoint,
  listDeliveriesEndpoint,
  resendDeliveryEndpoint,
} from './webhook-deliveries';
import {
  deleteWebhookEndpointEndpoint,
  getWebhookEndpointEndpoint,
  updateWebhookEndpointEndpoint,
} from './webhook-endpoint';

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
  listMessagesEndpoint,
  searchMessagesEndpoint,
  resendMessagesEndpoint,
  listSandboxMessagesEndpoint,
  listJobsEndpoint,
  retryJobsEndpoint,
  retryJobEndpoint,
  invariantsEndpoint('notifier', ({ keepsBodies }: Context) => scansWhere({ wiped: !keepsBodies })),
  smsBudgetEndpoint,
  smsStatusEndpoint,
  opsFiguresEndpoint,
  timelineEndpoint,
];
