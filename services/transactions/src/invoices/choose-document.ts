import { AppError } from '@fiado/contracts/errors';
import { TAX_PROFILE_PURPOSE, type TaxProfile, taxProfileCall } from '@fiado/contracts/tax-profile';
import type { Context } from '../context';
import { InvoiceRow, RECEIVER_PURPOSE } from './invoice.entity';
import { InvoiceRefused, NotIssuedYet, SIMULATED } from './invoice-provider';
import type { DocumentKind } from './invoice.rules';
import type { ClaimedInvoice } from './invoice.sql';

export interface ChosenDocument {
  kind: DocumentKind;
  /** Undefined of a receipt. */
  receiver: TaxProfile | undefined;
}

/**
 * What a provider is asked for: an invoice in the name of the store where it has a tax profile, else a receipt. It is stored
 * before the provider is asked, so that each attempt asks for the same. The key of the settings issues receipts only.
 * @throws NotIssuedYet while accounts cannot be reached; InvoiceRefused without the profile that the wholesaler wants
 */
export async function chooseDocument(
  context: Context,
  invoice: ClaimedInvoice,
): Promise<ChosenDocument> {
  const { sealer, db } = context;
  const { id, kind, receiver, receiverSealed, providerInvoiceId } = invoice;
  if (kind !== null || providerInvoiceId !== null) {
    const opened = receiverSealed && sealer.open(receiverSealed, RECEIVER_PURPOSE, id);
    return {
      kind: kind ?? 'receipt',
      receiver: opened ? (JSON.parse(opened) as TaxProfile) : undefined,
    };
  }
  const profile = await profileFor(context, invoice);
  if (profile === undefined && receiver === 'profile') {
    throw new InvoiceRefused(
      'The corner store has no tax profile, or its wholesaler no issuer of its own',
    );
  }
  const chosen = { kind: profile === undefined ? 'receipt' : 'invoice' } as const;
  const sealed = profile && sealer.seal(JSON.stringify(profile), RECEIVER_PURPOSE, id);
  await db.manager.update(InvoiceRow, id, { ...chosen, receiverSealed: sealed ?? null });
  return { ...chosen, receiver: profile };
}

async function profileFor(
  { accounts, sealer }: Context,
  { receiver, userId, hasOwnIssuer, provider }: ClaimedInvoice,
): Promise<TaxProfile | undefined> {
  if (receiver === 'public' || (!hasOwnIssuer && provider !== SIMULATED)) return undefined;
  const { taxProfileSealed } = await accounts
    .ask(taxProfileCall, { userId })
    .catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw new NotIssuedYet(`The tax profile of the corner store is not known (${error.code})`);
    });
  if (taxProfileSealed === null) return undefined;
  const sealed = Buffer.from(taxProfileSealed, 'base64');
  return JSON.parse(sealer.open(sealed, TAX_PROFILE_PURPOSE, userId)) as TaxProfile;
}
