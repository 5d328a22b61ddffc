import { isEmail } from '@fiado/contracts/class-validator';
import { queryRow } from '@fiado/chassis/db/query';
import { endpoint, internalEndpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import {
  checkedTaxProfile,
  EXAMPLE_TAX_PROFILE,
  TaxProfileBody,
} from '@fiado/contracts/tax-profile-body';
import { taxProfileProblems } from '@fiado/contracts/tax-profile-problems';
import {
  type TaxProfile,
  type TaxProfileAnswer,
  taxProfileCall,
  type TaxProfileQuestion,
  type VisitTaxProfileAnswer,
  visitTaxProfileCall,
  type VisitTaxProfileQuestion,
} from '@fiado/contracts/tax-profile';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { UserRow } from '../corner-stores/user.entity';
import { PURPOSE } from '../db/purposes';
import { findVisitor } from '../links/visit-account';

const stateAnswer = t.object('TaxProfileState', {
  hasTaxProfile: t.field(t.flag, 'Whether the user has one. Its values are never shown', true),
});

const setting = {
  summary: 'Set the tax profile of the owner of a corner store',
  description:
    'From then on its invoices are in its name (CFDI). It takes the place of the one before, also of one that another wholesaler ' +
    'or the lender set. Refused as the tax authority would refuse it, with a sentence for each field. Its values are encrypted and ' +
    'never shown again, and end with the data of their owner; documents that are stamped stay.',
  body: TaxProfileBody,
  bodyExample: EXAMPLE_TAX_PROFILE,
  answer: t.success,
  handle: storeTaxProfile,
  present: () => ({ success: true as const }),
};

const getting = {
  summary: 'Get whether the owner of a corner store has a tax profile',
  answer: stateAnswer,
  handle: findTaxProfile,
  present: (state: { hasTaxProfile: boolean }) => state,
};

const removing = {
  summary: 'Remove the tax profile of the owner of a corner store',
  description: 'Its later invoices are receipts. Documents that are stamped stay.',
  answer: t.noContent,
  handle: storeTaxProfile,
  present: () => undefined,
};

const ofUser = {
  tag: 'Accounts',
  scope: 'accounts:write',
  names: { userId: 'user' },
  errors: ['USER_NOT_FOUND'],
} as const;

export const setTaxProfileEndpoint = endpoint({
  ...ofUser,
  ...setting,
  id: 'setTaxProfile',
  as: 'accounts.setTaxProfile',
  route: 'PUT /v1/account/:userId/tax-profile',
  input: ({ id, body, caller: by }) => ({
    by,
    owner: { wholesalerId: by.id, userId: id('userId', 'USER_NOT_FOUND') },
    profile: checkedTaxProfile(body),
  }),
});

export const getTaxProfileEndpoint = endpoint({
  ...ofUser,
  ...getting,
  id: 'getTaxProfile',
  as: 'accounts.getTaxProfile',
  route: 'GET /v1/account/:userId/tax-profile',
  input: ({ id, caller }) => ({
    wholesalerId: caller.id,
    userId: id('userId', 'USER_NOT_FOUND'),
  }),
});

export const removeTaxProfileEndpoint = endpoint({
  ...ofUser,
  ...removing,
  id: 'removeTaxProfile',
  as: 'accounts.removeTaxProfile',
  route: 'DELETE /v1/account/:userId/tax-profile',
  input: ({ id, caller: by }) => ({
    by,
    owner: { wholesalerId: by.id, userId: id('userId', 'USER_NOT_FOUND') },
  }),
});

const ofStore = {
  tag: 'Ops: corner stores',
  scope: 'operator',
  errors: ['CORNER_STORE_NOT_FOUND'],
} as const;

export const setStoreTaxProfileEndpoint = endpoint({
  ...ofStore,
  ...setting,
  id: 'setCornerStoreTaxProfile',
  as: 'cornerStores.setTaxProfile',
  route: 'PUT /v1/admin/corner-stores/:cornerStoreId/tax-profile',
  input: ({ id, body, caller: by }) => ({
    by,
    owner: { cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND') },
    profile: checkedTaxProfile(body),
  }),
});

export const getStoreTaxProfileEndpoint = endpoint({
  ...ofStore,
  ...getting,
  id: 'getCornerStoreTaxProfile',
  as: 'cornerStores.getTaxProfile',
  route: 'GET /v1/admin/corner-stores/:cornerStoreId/tax-profile',
  input: ({ id }) => ({ cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND') }),
});

export const removeStoreTaxProfileEndpoint = endpoint({
  ...ofStore,
  ...removing,
  id: 'removeCornerStoreTaxProfile',
  as: 'cornerStores.removeTaxProfile',
  route: 'DELETE /v1/admin/corner-stores/:cornerStoreId/tax-profile',
  input: ({ id, caller: by }) => ({
    by,
    owner: { cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND') },
  }),
});

/** Who has a profile: a customer of a wholesaler, the owner of a store that ops names, or who looks at "Mi cuenta". */
type Owner =
  | { wholesalerId: string; userId: string }
  | { cornerStoreId: string }
  | { visitorId: string };

/** SQL: the users that `parametersOf` an owner names. A blocked one is not found. */
const OF_OWNER = `
  FROM users u JOIN corner_stores s ON s.user_id = u.id
  WHERE s.blocked_at IS NULL
    AND CASE WHEN $1::uuid IS NOT NULL THEN s.id = $1
             WHEN $4::uuid IS NOT NULL THEN u.id = $4
             ELSE u.id = $2 AND EXISTS (SELECT FROM customers c
                    WHERE c.corner_store_id = s.id AND c.wholesaler_id = $3) END`;

function parametersOf(owner: Owner): Array<string | null> {
  if ('cornerStoreId' in owner) return [owner.cornerStoreId, null, null, null];
  if ('visitorId' in owner) return [null, null, null, owner.visitorId];
  return [null, owner.userId, owner.wholesalerId, null];
}

function notFound(owner: Owner): AppError {
  return new AppError('cornerStoreId' in owner ? 'CORNER_STORE_NOT_FOUND' : 'USER_NOT_FOUND');
}

async function findTaxProfile({ db }: Context, owner: Owner): Promise<{ hasTaxProfile: boolean }> {
  const found = await queryRow<{ hasTaxProfile: boolean }>(
    db,
    `SELECT u.tax_profile IS NOT NULL AS "hasTaxProfile" ${OF_OWNER}`,
    parametersOf(owner),
  );
  if (found === undefined) throw notFound(owner);
  return found;
}

/** Stores the profile of an owner, or removes it. */
async function storeTaxProfile(
  { db, sealer }: Context,
  { by, owner, profile }: { by: Pick<Caller, 'kind' | 'id'>; owner: Owner; profile?: TaxProfile },
): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await queryRow<Pick<UserRow, 'id'>>(
      tx,
      `SELECT u.id ${OF_OWNER} FOR NO KEY UPDATE OF u`,
      parametersOf(owner),
    );
    if (user === undefined) throw notFound(owner);
    const sealed = profile && sealer.seal(JSON.stringify(profile), PURPOSE.taxProfile, user.id);
    await tx.manager.update(UserRow, user.id, { taxProfile: sealed ?? null });
    const action = profile === undefined ? 'tax-profile.removed' : 'tax-profile.set';
    await recordAudit(tx, { by, action, objectId: user.id });
  });
}

/** In the audit log: the owner of a store, on the pages of the gateway. */
const BY_OWNER = { kind: 'service', id: 'gateway' } as const;

export const visitTaxProfileEndpoint = internalEndpoint({
  call: visitTaxProfileCall,
  allow: ['service:gateway'],
  handle: async (
    context: Context,
    { token, profile, remove }: VisitTaxProfileQuestion,
  ): Promise<VisitTaxProfileAnswer> => {
    const visitorId = await findVisitor(context.db, token);
    if (visitorId === undefined) return { state: 'ended' };
    const owner = { visitorId };
    const wrong = profile === undefined ? [] : wrongFieldsOf(profile);
    if (remove === true) await storeTaxProfile(context, { by: BY_OWNER, owner });
    else if (profile !== undefined && wrong.length === 0) {
      await storeTaxProfile(context, { by: BY_OWNER, owner, profile });
    }
    return { state: 'open', ...(await findTaxProfile(context, owner)), wrong };
  },
});

function wrongFieldsOf(profile: TaxProfile): Array<keyof TaxProfile> {
  const { legalName, email } = profile;
  return [
    ...taxProfileProblems(profile).map((text) => text.split(' ')[0] as keyof TaxProfile),
    ...(legalName === '' ? (['legalName'] as const) : []),
    ...(email !== undefined && !isEmail(email) ? (['email'] as const) : []),
  ];
}

export const answerTaxProfileEndpoint = internalEndpoint({
  call: taxProfileCall,
  allow: ['service:transactions'],
  handle: async ({ db }: Context, { userId }: TaxProfileQuestion): Promise<TaxProfileAnswer> => {
    const user = await queryRow<Pick<UserRow, 'taxProfile'>>(
      db,
      `SELECT u.tax_profile FROM users u JOIN corner_stores s ON s.user_id = u.id
        WHERE u.id = $1 AND s.blocked_at IS NULL`,
      [userId],
    );
    return { taxProfileSealed: user?.taxProfile?.toString('base64') ?? null };
  },
});
