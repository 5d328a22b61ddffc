import type { Transaction } from '@fiado/chassis/db/database';
import type { Caller } from '@fiado/contracts/caller';
import { CHANGE_KINDS, type ChangeKindName } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import {
  finishChange,
  lockChangeRequest,
  STALE,
  type ChangeRequest,
} from '../db/change-requests.repository';
import type { ProviderSettings } from '../domain/provider-settings';
import { DEFAULT_SETTINGS, type WholesalerSettings } from '../domain/wholesaler-settings';
import { addApiKey } from '../steps/add-api-key';
import { addInvitation, type InvitedPerson } from '../steps/add-invitation';
import { addOpsKey, type OpsKeyTerms } from '../steps/add-ops-key';
import { addPaymentProvider } from '../steps/add-payment-provider';
import { addSigningSecret } from '../steps/add-signing-secret';
import { addWholesaler } from '../steps/add-wholesaler';
import type { IssuedApiKey, KeyOwner, KeyTerms } from '../steps/insert-api-key';

/** What a collected request made: a key, a secret, an invitation, and what they are of. */
export interface Collected extends Partial<IssuedApiKey> {
  wholesalerId?: string;
  paymentProviderId?: string;
  signingSecret?: string;
  staffId?: string;
  invitationLink?: string;
}

/** Makes one kind of change. @returns undefined when its target was changed after the request */
type Collection = (
  context: Context,
  tx: Transaction,
  request: ChangeRequest & { by: Caller; auditDetails: object },
) => Promise<Collected | undefined>;

const COLLECTIONS: Record<CollectedKind, Collection> = {
  'wholesaler.create': createWholesaler,
  'wholesaler-key.issue': issueKey('wholesaler'),
  'payment-provider.create': createProvider,
  'provider-key.issue': issueKey('provider'),
  'provider-secret.issue': issueSecret,
  'ops-key.issue': issueOpsKey,
  'staff.invite': invite,
};

/**
 * Makes what was approved for the person who asked for it, once. It is made here and not
 * at the approval, so that no secret waits anywhere and the approver never sees it.
 * @throws AppError CHANGE_REQUEST_NOT_FOUND, SECOND_PERSON_REQUIRED, CHANGE_REQUEST_IS_NOT_PENDING
 * @throws AppError PROVIDER_ALREADY_EXISTS when the name of a new provider was taken meanwhile
 * @throws AppError CHANGE_IS_STALE when the invited person was changed after the request
 */
export async function collectChangeRequest(
  context: Context,
  { by, changeRequestId }: { by: Caller; changeRequestId: string },
): Promise<Collected> {
  const collected = await context.db.transaction(async (tx) => {
    const request = await lockChangeRequest(tx, changeRequestId);
    if (request === undefined || !isCollected(request)) {
      throw new AppError('CHANGE_REQUEST_NOT_FOUND');
    }
    if (request.requestedBy !== by.id) throw new AppError('SECOND_PERSON_REQUIRED');
    if (request.status !== 'approved' || request.isExpired) {
      throw new AppError('CHANGE_REQUEST_IS_NOT_PENDING');
    }
    const auditDetails = { changeRequestId, approvedBy: request.decidedBy };
    const made = await COLLECTIONS[request.kind](context, tx, { ...request, by, auditDetails });
    await finishChange(tx, request.id, made === undefined ? STALE : undefined);
    return made;
  });
  context.relay.wake();
  // Thrown here, so that the failure is kept.
  if (collected === undefined) throw new AppError('CHANGE_IS_STALE');
  return collected;
}

type CollectedKind = {
  [Kind in ChangeKindName]: (typeof CHANGE_KINDS)[Kind] extends { isCollected: true }
    ? Kind
    : never;
}[ChangeKindName];

function isCollected<Request extends ChangeRequest>(
  request: Request,
): request is Request & { kind: CollectedKind } {
  return 'isCollected' in CHANGE_KINDS[request.kind];
}

async function createWholesaler(
  context: Context,
  tx: Transaction,
  { by, payload, auditDetails }: Parameters<Collection>[2],
): Promise<Collected> {
  const { name, ...settings } = payload as { name: string } & Partial<WholesalerSettings>;
  const allSettings = { ...DEFAULT_SETTINGS, ...settings };
  const made = await addWholesaler(context, tx, { by, name, settings: allSettings, auditDetails });
  return { wholesalerId: made.wholesaler.wholesalerId, ...made.key };
}

async function createProvider(
  context: Context,
  tx: Transaction,
  { by, payload, auditDetails }: Parameters<Collection>[2],
): Promise<Collected> {
  const { name, ...settings } = payload as { name: string } & Partial<ProviderSettings>;
  const { provider, key, signingSecret } = await addPaymentProvider(context, tx, {
    by,
    name,
    settings,
    auditDetails,
  });
  return {
    paymentProviderId: provider.id,
    ...key,
    ...(signingSecret !== null && { signingSecret }),
  };
}

async function issueSecret(
  context: Context,
  tx: Transaction,
  { by, targetId, auditDetails }: Parameters<Collection>[2],
): Promise<Collected> {
  const paymentProviderId = targetId ?? '';
  return {
    signingSecret: await addSigningSecret(context, tx, { by, paymentProviderId, auditDetails }),
  };
}

async function invite(
  { config }: Context,
  tx: Transaction,
  { by, targetId, targetVersion, payload, auditDetails }: Parameters<Collection>[2],
): Promise<Collected | undefined> {
  const added = await addInvitation(tx, config, {
    by,
    person: payload as InvitedPerson,
    approved: { targetId, targetVersion },
    auditDetails,
  });
  return added && { staffId: added.member.id, invitationLink: added.invitationLink };
}

function issueKey(kind: KeyOwner['kind']): Collection {
  return (context, tx, { by, targetId, payload, auditDetails }) => {
    const owner = { kind, id: targetId ?? '' };
    const terms = { ...(payload as KeyTerms), expiresAt: expiryOf(payload) };
    return addApiKey(context, tx, { by, owner, terms, auditDetails });
  };
}

async function issueOpsKey(
  { clock, config }: Context,
  tx: Transaction,
  { by, payload, auditDetails }: Parameters<Collection>[2],
): Promise<Collected> {
  const expiresAt = expiryOf(payload) ?? clock.now();
  const terms = { ...(payload as OpsKeyTerms), expiresAt };
  const { opsKey, apiKey } = await addOpsKey(tx, config, { by, terms, auditDetails });
  return { apiKeyId: opsKey.id, apiKey };
}

/** The expiry in the payload of a key: a text, as JSON keeps it. */
function expiryOf(payload: object): Date | null {
  const { expiresAt } = payload as { expiresAt: string | null };
  return expiresAt === null ? null : new Date(expiresAt);
}
