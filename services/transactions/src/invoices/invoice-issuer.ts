import { IsIn, IsOptional, Matches, MaxLength } from '@fiado/contracts/class-validator';
import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { audit } from '@fiado/chassis/outbox/append';
import { requestChange } from '@fiado/chassis/outbox/waiting-changes';
import { About } from '@fiado/contracts/about';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import {
  InvoiceIssuerRow,
  ISSUER_KEY_PURPOSE,
  WEBHOOK_SECRET_PURPOSE,
} from './invoice-issuer.entity';
import { facturapiInvoiceProvider, type InvoiceProvider } from './invoice-provider';

/**
 * Payment forms of the tax authority's catalogue (c_FormaPago) but 99, "to be defined": that is for invoices that are
 * paid later (PPD), and a receipt is none.
 */
const PAYMENT_FORMS = '01 02 03 04 05 06 08 12 13 14 15 17 23 24 25 26 27 28 29 30 31'.split(' ');

/** Characters of a key that are shown, to tell it from others. */
const SHOWN_OF_KEY = 4;

/** Where Facturapi sends its webhooks, before the id of the wholesaler. */
export const WEBHOOK_PATH = '/v1/callbacks/facturapi';

class SetInvoiceIssuerBody {
  @About('Who stamps its documents')
  @IsIn(['facturapi'])
  provider: 'facturapi';

  @About(
    'Its own secret key of the provider: a test key in a sandbox, else a live one',
    'sk_test_aF3kQz81',
  )
  @Matches(/^sk_(test|live)_\w+$/, {
    message: '$property must be a secret key of Facturapi: sk_test_… or sk_live_…',
  })
  @MaxLength(200)
  apiKey: string;

  @About(
    'How its receipts are paid: a key of the catalogue c_FormaPago of the tax authority, but 99',
    '03',
  )
  @IsIn(PAYMENT_FORMS)
  receiptPaymentForm: string;

  @About(
    'Series of its invoices, credit notes and payment complements: 1 to 25 letters and digits. Absent: the one that its account ' +
      'at the provider sets',
    'F',
  )
  @IsOptional()
  @Matches(/^[A-Za-z\d]{1,25}$/, { message: '$property must be 1 to 25 letters and digits' })
  series?: string;

  @About(
    'What the provider signs its webhooks with: it shows it when you add `webhookUrl` there. Absent: none is taken, and a ' +
      'document that the provider works on is looked up after some time',
    'whsec_8JkLm2',
  )
  @IsOptional()
  @Matches(/^[\x21-\x7e]{8,200}$/, {
    message: '$property must be 8 to 200 characters without spaces',
  })
  webhookSecret?: string;
}

const issuerAnswer = t.object('InvoiceIssuer', {
  wholesalerId: fields.wholesalerId,
  provider: t.field(t.oneOf(['facturapi']), 'Who stamps its documents'),
  apiKey: t.field(t.text, 'The last characters of its key', '…Qz81'),
  receiptPaymentForm: t.field(t.text, 'How its receipts are paid (c_FormaPago)', '03'),
  series: t.textOrNull(
    'Series of its invoices; null: the one that its account at the provider sets',
    'F',
  ),
  webhookSecret: t.textOrNull(
    'The last characters of the secret of its webhooks; null without one',
    '…kLm2',
  ),
  webhookUrl: t.field(
    t.text,
    'Where the provider sends its webhooks: add it there, for events of invoices and receipts',
    'https://fiado.example/v1/callbacks/facturapi/0198c2d1-7a40-7c3d-9a51-2b3c4d5e6f70',
  ),
  updatedAt: t.time('Time of its newest change', '2026-11-23T10:00:00.000Z'),
});

/** Shared by the endpoints of one issuer. */
const ofIssuer = { tag: 'Ops: wholesalers', scope: 'admin' } as const;

const shown = {
  answer: issuerAnswer,
  example: {
    webhookSecret: null,
    webhookUrl: `https://fiado.example${WEBHOOK_PATH}/1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d`,
  },
  present: (issuer: InvoiceIssuerRow, context: Context) => {
    const { apiKey, webhookSecret = null } = endsOf(context, issuer);
    const { href } = new URL(`${WEBHOOK_PATH}/${issuer.wholesalerId}`, context.config.PUBLIC_URL);
    return t.presentRow(issuerAnswer, issuer, { apiKey, webhookSecret, webhookUrl: href });
  },
};

export const setInvoiceIssuerEndpoint = endpoint({
  ...ofIssuer,
  ...shown,
  id: 'setInvoiceIssuer',
  as: 'wholesalers.setInvoiceIssuer',
  route: 'PUT /v1/admin/wholesalers/:wholesalerId/invoice-issuer',
  summary: 'Set who issues the invoices of a wholesaler',
  description:
    'The wholesaler’s own account at the provider, so that its documents have its tax id. It takes the place of the one before, ' +
    'also for documents of before that are looked up or cancelled later. The request of a person waits for a second one: 202. ' +
    'The key is kept encrypted and never shown again.',
  body: SetInvoiceIssuerBody,
  bodyExample: { provider: 'facturapi', apiKey: 'sk_test_aF3kQz81', receiptPaymentForm: '03' },
  mayWait: true,
  errors: ['WHOLESALER_NOT_FOUND', 'CHANGE_ALREADY_REQUESTED'],
  input: ({ body, id, caller: by }, { config }: Context) => {
    const mode = config.FIADO_MODE === 'production' ? 'live' : 'test';
    if (!body.apiKey.startsWith(`sk_${mode}_`)) {
      throw new ValidationError([`apiKey must be a ${mode} key: sk_${mode}_…`]);
    }
    return { by, wholesalerId: id('wholesalerId', 'WHOLESALER_NOT_FOUND'), body };
  },
  handle: async (context: Context, { by, wholesalerId, body }) => {
    const { db, sealer, config } = context;
    const { apiKey, webhookSecret, ...settings } = body;
    const seal = (secret: string, purpose: string): string =>
      sealer.seal(secret, purpose, wholesalerId).toString('base64');
    const secrets = {
      apiKeySealed: seal(apiKey, ISSUER_KEY_PURPOSE),
      ...(webhookSecret !== undefined && {
        webhookSecretSealed: seal(webhookSecret, WEBHOOK_SECRET_PURPOSE),
      }),
    };
    return db.transaction(async (tx) => {
      if (!(await lockWholesaler(tx, wholesalerId))) throw new AppError('WHOLESALER_NOT_FOUND');
      if (!needsSecondPerson(config.FOUR_EYES, by)) {
        const entry = { action: 'invoice-issuer.set', objectId: wholesalerId } as const;
        await audit(tx, by, { ...entry, details: settings });
        return storeIssuer(context, tx, wholesalerId, { ...settings, ...secrets });
      }
      const before = await tx.manager.findOneBy(InvoiceIssuerRow, { wholesalerId });
      return requestChange(tx, {
        by,
        kind: 'invoice-issuer.set',
        targetId: wholesalerId,
        payload: {
          ...settings,
          apiKey: endOf(apiKey),
          ...(webhookSecret !== undefined && { webhookSecret: endOf(webhookSecret) }),
        },
        kept: secrets,
        before: before ? shownOf(context, before) : {},
      });
    });
  },
});

export const getInvoiceIssuerEndpoint = endpoint({
  ...ofIssuer,
  ...shown,
  id: 'getInvoiceIssuer',
  as: 'wholesalers.getInvoiceIssuer',
  route: 'GET /v1/admin/wholesalers/:wholesalerId/invoice-issuer',
  summary: 'Get who issues the invoices of a wholesaler',
  errors: ['INVOICE_ISSUER_NOT_FOUND'],
  input: ({ id }) => id('wholesalerId', 'INVOICE_ISSUER_NOT_FOUND'),
  handle: async ({ db }: Context, wholesalerId) => {
    const issuer = await db.manager.findOneBy(InvoiceIssuerRow, { wholesalerId });
    if (issuer === null) throw new AppError('INVOICE_ISSUER_NOT_FOUND');
    return issuer;
  },
});

export const removeInvoiceIssuerEndpoint = endpoint({
  ...ofIssuer,
  id: 'removeInvoiceIssuer',
  as: 'wholesalers.removeInvoiceIssuer',
  route: 'DELETE /v1/admin/wholesalers/:wholesalerId/invoice-issuer',
  summary: 'Remove who issues the invoices of a wholesaler',
  description:
    'The request of a person waits for a second one: 202. One of a key is made at once, and ends a change that waits. The key is ' +
    'deleted: documents that it issued are neither looked up nor cancelled until it is set again.',
  mayWait: true,
  errors: ['INVOICE_ISSUER_NOT_FOUND', 'CHANGE_ALREADY_REQUESTED'],
  answer: t.success,
  input: ({ id, caller: by }) => ({
    by,
    wholesalerId: id('wholesalerId', 'INVOICE_ISSUER_NOT_FOUND'),
  }),
  handle: async (context: Context, { by, wholesalerId }) => {
    const { db, config } = context;
    return db.transaction(async (tx) => {
      await lockWholesaler(tx, wholesalerId);
      if (needsSecondPerson(config.FOUR_EYES, by)) {
        const before = await tx.manager.findOneBy(InvoiceIssuerRow, { wholesalerId });
        if (before === null) throw new AppError('INVOICE_ISSUER_NOT_FOUND');
        return requestChange(tx, {
          by,
          kind: 'invoice-issuer.remove',
          targetId: wholesalerId,
          payload: {},
          before: shownOf(context, before),
        });
      }
      const ended = await query(
        tx,
        `DELETE FROM waiting_changes
          WHERE target_id = $1 AND kind IN ('invoice-issuer.set', 'invoice-issuer.remove') RETURNING 1`,
        [wholesalerId],
      );
      const { affected } = await tx.manager.delete(InvoiceIssuerRow, { wholesalerId });
      if (affected === 0 && ended.length === 0) throw new AppError('INVOICE_ISSUER_NOT_FOUND');
      const details = {};
      await audit(tx, by, { action: 'invoice-issuer.removed', objectId: wholesalerId, details });
      return undefined;
    });
  },
  present: () => ({ success: true }),
});

/** A change of an issuer; its secrets are sealed, in base64. */
export interface IssuerChange extends Pick<InvoiceIssuerRow, 'provider' | 'receiptPaymentForm'> {
  series?: string;
  apiKeySealed: string;
  webhookSecretSealed?: string;
}

/** Stores the issuer of a wholesaler in the place of the one before. */
export async function storeIssuer(
  { sealer }: Context,
  tx: Transaction,
  wholesalerId: string,
  { provider, receiptPaymentForm, series, apiKeySealed, webhookSecretSealed }: IssuerChange,
): Promise<InvoiceIssuerRow> {
  // A key may have begun to seal while the change waited.
  const resealed = (base64: string, purpose: string): Buffer => {
    const sealed = Buffer.from(base64, 'base64');
    return sealer.reseal(sealed, purpose, wholesalerId) ?? sealed;
  };
  const secret = webhookSecretSealed;
  const issuer = {
    wholesalerId,
    provider,
    receiptPaymentForm,
    series: series ?? null,
    apiKeySealed: resealed(apiKeySealed, ISSUER_KEY_PURPOSE),
    webhookSecretSealed: secret === undefined ? null : resealed(secret, WEBHOOK_SECRET_PURPOSE),
    updatedAt: () => 'now()',
  };
  await tx.manager.upsert(InvoiceIssuerRow, issuer, ['wholesalerId']);
  return tx.manager.findOneByOrFail(InvoiceIssuerRow, { wholesalerId });
}

/**
 * Who issues a new invoice of a wholesaler, or issued one: its own issuer, or what the settings name.
 * @param isOwn of an invoice that exists
 * @returns undefined: nobody
 */
export async function providerOf(
  context: Context,
  db: Db,
  wholesalerId: string,
  isOwn?: boolean,
): Promise<{ provider: InvoiceProvider; isOwn: boolean } | undefined> {
  const issuer =
    isOwn === false ? null : await db.manager.findOneBy(InvoiceIssuerRow, { wholesalerId });
  if (issuer !== null) {
    const { FACTURAPI_BASE_URL } = context.config;
    const key = keyOf(context, issuer);
    const provider = facturapiInvoiceProvider(key, FACTURAPI_BASE_URL, issuer);
    return { provider, isOwn: true };
  }
  const provider = isOwn === true ? undefined : context.invoiceProvider;
  return provider && { provider, isOwn: false };
}

/** The key of an issuer at its provider. */
export function keyOf({ sealer }: Pick<Context, 'sealer'>, issuer: InvoiceIssuerRow): string {
  return sealer.open(issuer.apiKeySealed, ISSUER_KEY_PURPOSE, issuer.wholesalerId);
}

/** The secret of the webhooks of an issuer; undefined without one. */
export function webhookSecretOf(
  { sealer }: Pick<Context, 'sealer'>,
  { webhookSecretSealed, wholesalerId }: InvoiceIssuerRow,
): string | undefined {
  return webhookSecretSealed === null
    ? undefined
    : sealer.open(webhookSecretSealed, WEBHOOK_SECRET_PURPOSE, wholesalerId);
}

/** The ends of the secrets of an issuer. */
function endsOf(context: Context, issuer: InvoiceIssuerRow) {
  const secret = webhookSecretOf(context, issuer);
  return {
    apiKey: endOf(keyOf(context, issuer)),
    ...(secret !== undefined && { webhookSecret: endOf(secret) }),
  };
}

/** An issuer as a change that waits shows it. */
function shownOf(context: Context, issuer: InvoiceIssuerRow) {
  const { provider, receiptPaymentForm, series } = issuer;
  return {
    provider,
    receiptPaymentForm,
    ...(series !== null && { series }),
    ...endsOf(context, issuer),
  };
}

function endOf(apiKey: string): string {
  return `…${apiKey.slice(-SHOWN_OF_KEY)}`;
}

/** Changes of the issuer and of the tax profile of a wholesaler wait for each other. @returns whether the wholesaler is known */
export async function lockWholesaler(tx: Transaction, wholesalerId: string): Promise<boolean> {
  const found = await query(
    tx,
    'SELECT FROM wholesalers WHERE wholesaler_id = $1 FOR NO KEY UPDATE',
    [wholesalerId],
  );
  return found.length > 0;
}
