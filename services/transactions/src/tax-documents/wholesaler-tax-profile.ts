import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { audit } from '@fiado/chassis/outbox/append';
import { requestChange } from '@fiado/chassis/outbox/waiting-changes';
import { AppError } from '@fiado/contracts/errors';
import type { TaxProfile } from '@fiado/contracts/tax-profile';
import {
  checkedTaxProfile,
  EXAMPLE_TAX_PROFILE,
  TaxProfileBody,
} from '@fiado/contracts/tax-profile-body';
import type { Context } from '../context';
import { lockWholesaler } from '../invoices/invoice-issuer';
import { WholesalerTaxProfileRow } from './wholesaler-tax-profile.entity';

const profileAnswer = t.object('WholesalerTaxProfile', {
  wholesalerId: fields.wholesalerId,
  rfc: t.field(t.text, 'Tax id', 'ANO010101AB1'),
  legalName: t.field(t.text, 'Name without the kind of company', 'ABARROTES DEL NORTE'),
  taxRegime: t.field(t.text, 'Tax regime (c_RegimenFiscal)', '601'),
  postalCode: t.field(t.text, 'Postcode of the tax address', '64000'),
  cfdiUse: t.field(t.text, 'What its invoices are for (c_UsoCFDI)', 'G03'),
  email: t.textOrNull('Where its invoices are sent', 'cuentas@norte.example'),
  updatedAt: t.time('Time of its newest change', '2026-11-23T10:00:00.000Z'),
});

const EXAMPLE = {
  ...EXAMPLE_TAX_PROFILE,
  rfc: 'ANO010101AB1',
  legalName: 'ABARROTES DEL NORTE',
  taxRegime: '601',
  postalCode: '64000',
  cfdiUse: 'G03',
};

/** Shared by the endpoints of one profile. */
const ofProfile = { tag: 'Ops: wholesalers', scope: 'admin' } as const;

const shown = {
  answer: profileAnswer,
  present: (row: WholesalerTaxProfileRow) => t.presentRow(profileAnswer, row, {}),
};

export const setWholesalerTaxProfileEndpoint = endpoint({
  ...ofProfile,
  ...shown,
  id: 'setWholesalerTaxProfile',
  as: 'wholesalers.setTaxProfile',
  route: 'PUT /v1/admin/wholesalers/:wholesalerId/tax-profile',
  summary: 'Set in whose name the commission invoices of a wholesaler are',
  description:
    'From then on each statement that closes has a commission invoice (CFDI) of the lender in this name, under the key ' +
    '`FACTURAPI_KEY` of the settings. Refused as the tax authority would refuse it, with a sentence for each field. The request of a ' +
    'person waits for a second one: 202.',
  body: TaxProfileBody,
  bodyExample: EXAMPLE,
  mayWait: true,
  errors: ['WHOLESALER_NOT_FOUND', 'CHANGE_ALREADY_REQUESTED'],
  input: ({ body, id, caller: by }) => ({
    by,
    wholesalerId: id('wholesalerId', 'WHOLESALER_NOT_FOUND'),
    profile: checkedTaxProfile(body),
  }),
  handle: async ({ db, config }: Context, { by, wholesalerId, profile }) => {
    const kind = 'wholesaler-tax-profile.set';
    return db.transaction(async (tx) => {
      if (!(await lockWholesaler(tx, wholesalerId))) throw new AppError('WHOLESALER_NOT_FOUND');
      if (!needsSecondPerson(config.FOUR_EYES, by)) {
        await audit(tx, by, { action: kind, objectId: wholesalerId, details: {} });
        return storeProfile(tx, wholesalerId, profile);
      }
      const before = await tx.manager.findOneBy(WholesalerTaxProfileRow, { wholesalerId });
      const { wholesalerId: _id, updatedAt: _at, ...known } = before ?? {};
      const target = { targetId: wholesalerId, payload: { ...profile }, before: known };
      return requestChange(tx, { by, kind, ...target });
    });
  },
});

export const getWholesalerTaxProfileEndpoint = endpoint({
  ...ofProfile,
  ...shown,
  id: 'getWholesalerTaxProfile',
  as: 'wholesalers.getTaxProfile',
  route: 'GET /v1/admin/wholesalers/:wholesalerId/tax-profile',
  summary: 'Get in whose name the commission invoices of a wholesaler are',
  errors: ['TAX_PROFILE_NOT_FOUND'],
  input: ({ id }) => id('wholesalerId', 'TAX_PROFILE_NOT_FOUND'),
  handle: async ({ db }: Context, wholesalerId) => {
    const profile = await db.manager.findOneBy(WholesalerTaxProfileRow, { wholesalerId });
    if (profile === null) throw new AppError('TAX_PROFILE_NOT_FOUND');
    return profile;
  },
});

export const removeWholesalerTaxProfileEndpoint = endpoint({
  ...ofProfile,
  id: 'removeWholesalerTaxProfile',
  as: 'wholesalers.removeTaxProfile',
  route: 'DELETE /v1/admin/wholesalers/:wholesalerId/tax-profile',
  summary: 'Remove in whose name the commission invoices of a wholesaler are',
  description:
    'At once; it ends a change that waits, too. Statements that close later have no commission invoice. One that is not issued yet waits ' +
    'until there is a profile again.',
  errors: ['TAX_PROFILE_NOT_FOUND'],
  answer: t.noContent,
  input: ({ id, caller: by }) => ({
    by,
    wholesalerId: id('wholesalerId', 'TAX_PROFILE_NOT_FOUND'),
  }),
  handle: async ({ db }: Context, { by, wholesalerId }) => {
    await db.transaction(async (tx) => {
      await lockWholesaler(tx, wholesalerId);
      const ended = await query(
        tx,
        `DELETE FROM waiting_changes WHERE target_id = $1 AND kind = 'wholesaler-tax-profile.set' RETURNING 1`,
        [wholesalerId],
      );
      const { affected } = await tx.manager.delete(WholesalerTaxProfileRow, { wholesalerId });
      if (affected === 0 && ended.length === 0) throw new AppError('TAX_PROFILE_NOT_FOUND');
      const entry = { action: 'wholesaler-tax-profile.removed', objectId: wholesalerId } as const;
      await audit(tx, by, { ...entry, details: {} });
    });
  },
  present: () => undefined,
});

/** Stores the profile of a wholesaler in the place of the one before. */
export async function storeProfile(
  tx: Transaction,
  wholesalerId: string,
  { email, ...profile }: TaxProfile,
): Promise<WholesalerTaxProfileRow> {
  const row = { ...profile, wholesalerId, email: email ?? null, updatedAt: () => 'now()' };
  await tx.manager.upsert(WholesalerTaxProfileRow, row, ['wholesalerId']);
  return tx.manager.findOneByOrFail(WholesalerTaxProfileRow, { wholesalerId });
}
