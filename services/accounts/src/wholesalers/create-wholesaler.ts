import type { Transaction } from '@fiado/chassis/db/database';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import type { WholesalerSnapshot } from '@fiado/contracts/corner-store';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { requestChange } from '../approvals/request-change';
import { type AuditedBy, changedValues, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { insertApiKey, type IssuedApiKey } from '../keys/keys-of-party';
import { wholesalerEvent } from '../snapshots/snapshots.sql';
import {
  exampleWholesaler,
  MAX_NAME,
  presentWholesaler,
  settingsOf,
  wholesalerFields,
  WholesalerSettingsBody,
} from './wholesaler';
import {
  DEFAULT_SETTINGS,
  looserSettings,
  settingsProblems,
  type WholesalerSettings,
} from './wholesaler-settings.rules';
import { WholesalerRow } from './wholesaler.entity';

class CreateWholesalerBody extends WholesalerSettingsBody {
  @IsNonEmptyText(MAX_NAME)
  name: string;
}

export const createWholesalerEndpoint = endpoint({
  id: 'createWholesaler',
  as: 'wholesalers.create',
  once: true,
  shownOnce: ['apiKey'],
  tag: 'Ops: wholesalers',
  route: 'POST /v1/admin/wholesalers',
  scope: 'admin',
  summary: 'Create a wholesaler and its first key',
  body: CreateWholesalerBody,
  bodyExample: { name: 'Abarrotes del Norte', paymentTermDays: 14 },
  mayWait: true,
  status: 201,
  answer: t.object('CreatedWholesaler', {
    ...wholesalerFields,
    apiKeyId: fields.apiKeyId,
    apiKey: fields.apiKey,
  }),
  example: exampleWholesaler,
  input: ({ body, caller: by }) => ({
    by,
    name: body.name,
    reason: body.reason ?? null,
    settings: settingsOf(body),
  }),
  handle: createWholesaler,
  present: ({ wholesaler, key: { apiKeyId, apiKey } }) => ({
    ...presentWholesaler(wholesaler),
    apiKeyId,
    apiKey,
  }),
});

interface CreatedWholesaler {
  wholesaler: Required<WholesalerSnapshot>;
  key: IssuedApiKey;
}

/**
 * A wholesaler with its settings and its first key. One with a setting that is less strict than the
 * default waits for a second person, and is made when its requester collects the key.
 * @throws ValidationError when the settings contradict each other
 */
export async function createWholesaler(
  context: Context,
  {
    by,
    name,
    reason = null,
    settings,
  }: { by: Caller; name: string; reason?: string | null; settings: Partial<WholesalerSettings> },
): Promise<CreatedWholesaler | ChangeRequested> {
  const allSettings = { ...DEFAULT_SETTINGS, ...settings };
  const problems = settingsProblems(allSettings);
  if (problems.length > 0) throw new ValidationError(problems);
  const isGuarded = looserSettings(DEFAULT_SETTINGS, settings).length > 0;

  return context.db.transaction(async (tx) => {
    if (!isGuarded || !needsSecondPerson(context.config.FOUR_EYES, by)) {
      return addWholesaler(context, tx, { by, name, settings: allSettings });
    }
    return requestChange(tx, {
      by,
      kind: 'wholesaler.create',
      payload: { name, ...settings },
      before: changedValues<Partial<WholesalerSettings>>(DEFAULT_SETTINGS, settings).before,
      reason,
    });
  });
}

/** Adds a wholesaler and its first key. */
export async function addWholesaler(
  context: Context,
  tx: Transaction,
  {
    by,
    name,
    settings,
    auditDetails = {},
  }: AuditedBy & { name: string; settings: WholesalerSettings },
): Promise<{ wholesaler: Required<WholesalerSnapshot>; key: IssuedApiKey }> {
  const wholesalerId = newId();
  await tx.manager.insert(WholesalerRow, { id: wholesalerId, name, ...settings });
  const key = await insertApiKey(context, tx, { kind: 'wholesaler', id: wholesalerId });
  const { current, event } = await wholesalerEvent(tx, wholesalerId);
  await appendToOutbox(tx, event);
  await recordAudit(tx, {
    by,
    action: 'wholesaler.created',
    objectId: wholesalerId,
    details: auditDetails,
  });
  return { wholesaler: current.snapshot, key };
}
