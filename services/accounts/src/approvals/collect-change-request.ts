import type { Transaction } from '@fiado/chassis/db/database';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Caller } from '@fiado/contracts/caller';
import { CHANGE_KINDS, type ChangeKindName } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { addOpsKey, type OpsKeyTerms } from '../keys/issue-ops-key';
import { addApiKey, type IssuedApiKey, type KeyOwner, type KeyTerms } from '../keys/keys-of-party';
import { addPaymentProvider } from '../providers/create-payment-provider';
import { addSigningSecret } from '../providers/issue-signing-secret';
import type { ProviderSettings } from '../providers/provider-settings.rules';
import { addInvitation, type InvitedPerson } from '../staff/invite-staff';
import { addWholesaler } from '../wholesalers/create-wholesaler';
import {
  DEFAULT_SETTINGS,
  type WholesalerSettings,
} from '../wholesalers/wholesaler-settings.rules';
import {
  type ChangeRequest,
  finishChange,
  lockChangeAndTarget,
  STALE,
} from './change-requests.sql';

export const collectChangeRequestEndpoint = endpoint({
  id: 'collectChangeRequest',
  as: 'changeRequests.collect',
  once: true,
  shownOnce: ['apiKey', 'signingSecret', 'invitationLink'],
  tag: 'Ops: operation',
  route: 'POST /v1/admin/change-requests/:changeRequestId/collect',
  scope: 'admin',
  summary: 'Collect an approved key, secret or invitation',
  description:
    'Once. By the person who asked for it, the link of an invitation by the person who approved it. What ' +
    'it names is made by this call, so nobody else sees it: a wholesaler or a payment provider with its ' +
    'first key, a key, a signing secret, or the link of an invitation. An invitation fails with ' +
    '`CHANGE_IS_STALE` when its person was changed after the request.',
  errors: [
    'CHANGE_REQUEST_NOT_FOUND',
    'CHANGE_REQUEST_IS_NOT_PENDING',
    'CHANGE_IS_STALE',
    'SECOND_PERSON_REQUIRED',
    'PROVIDER_ALREADY_EXISTS',
  ],
  status: 201,
  answer: t.object(
    'CollectedSecret',
    {
      wholesalerId: fields.wholesalerId,
      paymentProviderId: fields.paymentProviderId,
      apiKeyId: fields.apiKeyId,
      apiKey: fields.apiKey,
      signingSecret: fields.signingSecret,
      staffId: fields.staffId,
      invitationLink: t.field(
        t.uri,
        'Link that enrols a passkey; shown once',
        'https://console.lender.example/invitacion/fiado_invite_4Jm2yGv8mQ0bT7c1',
      ),
    },
    [
      'wholesalerId',
      'paymentProviderId',
      'apiKeyId',
      'apiKey',
      'signingSecret',
      'staffId',
      'invitationLink',
    ],
  ),
  example: { apiKeyId: 'a1b2c3d4-e5f6-4789-9abc-def012345678', apiKey: 'fiado_live_…' },
  input: ({ id, caller: by }) => ({
    by,
    changeRequestId: id('changeRequestId', 'CHANGE_REQUEST_NOT_FOUND'),
  }),
  // Makes the approved secret, once, for the person who may have it. It is not made at the approval,
  // because it would have to be stored until it is collected.
  handle: async (context: Context, { by, changeRequestId }) => {
    const collected = await context.db.transaction(async (tx) => {
      const request = await lockChangeAndTarget(tx, changeRequestId);
      if (request === undefined || !isCollected(request)) {
        throw new AppError('CHANGE_REQUEST_NOT_FOUND');
      }
      if (collectorOf(request) !== by.id) throw new AppError('SECOND_PERSON_REQUIRED');
      if (request.status !== 'approved' || request.isExpired) {
        throw new AppError('CHANGE_REQUEST_IS_NOT_PENDING');
      }
      const auditDetails = { changeRequestId, approvedBy: request.decidedBy };
      const made = await COLLECTIONS[request.kind](context, tx, { ...request, by, auditDetails });
      await finishChange(tx, request.id, made === undefined ? STALE : undefined);
      return made;
    });
    // Thrown here, so that the failure is kept.
    if (collected === undefined) throw new AppError('CHANGE_IS_STALE');
    return collected;
  },
  present: (collected) => collected,
});

/** The result of a collected request: a key, a secret or an invitation, and its owner. */
interface Collected extends Partial<IssuedApiKey> {
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

type CollectedKind = {
  [Kind in ChangeKindName]: (typeof CHANGE_KINDS)[Kind] extends { collectedBy: string }
    ? Kind
    : never;
}[ChangeKindName];

const COLLECTIONS: Record<CollectedKind, Collection> = {
  'wholesaler.create': async (context, tx, { payload, ...made }) => {
    const { name, ...changed } = payload as { name: string } & Partial<WholesalerSettings>;
    const settings = { ...DEFAULT_SETTINGS, ...changed };
    const { wholesaler, key } = await addWholesaler(context, tx, { ...made, name, settings });
    return { wholesalerId: wholesaler.wholesalerId, ...key };
  },
  'wholesaler-key.issue': issueKey('wholesaler'),
  'payment-provider.create': async (context, tx, { payload, ...made }) => {
    const { name, ...settings } = payload as { name: string } & Partial<ProviderSettings>;
    const added = await addPaymentProvider(context, tx, { ...made, name, settings });
    const { provider, key, signingSecret } = added;
    return {
      paymentProviderId: provider.id,
      ...key,
      ...(signingSecret !== null && { signingSecret }),
    };
  },
  'provider-key.issue': issueKey('provider'),
  'provider-secret.issue': async (context, tx, { targetId, ...made }) => ({
    signingSecret: await addSigningSecret(context, tx, {
      ...made,
      paymentProviderId: targetId ?? '',
    }),
  }),
  'ops-key.issue': async ({ clock, config }, tx, { payload, ...made }) => {
    const expiresAt = expiryOf(payload) ?? clock.now();
    const terms = { ...(payload as OpsKeyTerms), expiresAt };
    const { opsKey, apiKey } = await addOpsKey(tx, config, { ...made, terms });
    return { apiKeyId: opsKey.id, apiKey };
  },
  'staff.invite': async ({ config }, tx, { payload, ...made }) => {
    const person = payload as InvitedPerson;
    const added = await addInvitation(tx, config, { ...made, person, approved: made });
    return added && { staffId: added.member.id, invitationLink: added.invitationLink };
  },
};

function isCollected<Request extends ChangeRequest>(
  request: Request,
): request is Request & { kind: CollectedKind } {
  return 'collectedBy' in CHANGE_KINDS[request.kind];
}

/** Who may collect the secret: the link of an invitation opens an account, so its requester never gets it. */
function collectorOf({
  kind,
  requestedBy,
  decidedBy,
}: ChangeRequest & { kind: CollectedKind }): string | null {
  return CHANGE_KINDS[kind].collectedBy === 'approver' ? decidedBy : requestedBy;
}

function issueKey(kind: KeyOwner['kind']): Collection {
  return (context, tx, { targetId, payload, ...made }) => {
    const owner = { kind, id: targetId ?? '' };
    const terms = { ...(payload as KeyTerms), expiresAt: expiryOf(payload) };
    return addApiKey(context, tx, { ...made, owner, terms });
  };
}

/** The expiry in the payload of a key: a text, as JSON keeps it. */
function expiryOf(payload: object): Date | null {
  const { expiresAt } = payload as { expiresAt: string | null };
  return expiresAt === null ? null : new Date(expiresAt);
}
