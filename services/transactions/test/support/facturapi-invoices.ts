import { randomUUID } from 'node:crypto';
import type { StandInAnswer } from '@fiado/chassis/testing/stand-in';
import {
  isPaid,
  problemOfCreditNote,
  problemOfPayment,
  type SentComplement,
} from './facturapi-complements';
import { satTotalCents, type SentItem } from './sat';

/** An invoice that the stand-in has stamped. */
export interface StampedInvoice {
  owner: string;
  status: 'valid' | 'canceled';
  cancellation_status: 'none' | 'pending' | 'accepted' | 'rejected' | 'expired';
  uuid: string;
  total: number;
  /** What it was asked for. */
  sent: SentInvoice;
  motive?: string | undefined;
  substitution?: string | undefined;
}

export interface SentInvoice extends Record<string, unknown> {
  idempotency_key?: string;
  type?: string;
  items?: SentItem[];
  complements?: SentComplement[];
  related_documents?: Array<{ relationship: string; documents: string[] }>;
  customer?: Record<string, unknown>;
}

/** Who the tax authority knows, by tax id. */
const TAXPAYERS: Record<string, { name: string; regime: string; zip: string }> = {
  LULU800101AB1: { name: 'GUADALUPE LUNA LUNA', regime: '626', zip: '06000' },
  ANO010101AB1: { name: 'ABARROTES DEL NORTE', regime: '601', zip: '64000' },
  MAGO750615QX3: { name: 'MARIO GOMEZ ORTIZ', regime: '612', zip: '64000' },
};

/**
 * The invoices (CFDI) of the stand-in of Facturapi. What it does, and what that was taken from (github.com/FacturAPI/facturapi-docs):
 *
 * - one for each `idempotency_key`, stamped at once (`valid`, with a `uuid`), with a `series` of up to 25 characters: API document,
 *   createInvoice;
 * - a receiver whose name, regime or postcode are not those of its tax id is refused (`legal_name_mismatch`,
 *   `tax_system_not_allowed_for_tax_id`, `tax_address_zip_mismatch`, `tax_id_not_found`): guide of errors;
 * - 99 without PPD and PPD without 99 are refused: SAT, CFDI40124. Lines that do not add up: `sat.ts`;
 * - a cancellation needs a motive, 01 a `substitution`, and a `valid` invoice; while its receiver has not answered
 *   (`pending`) another one is refused (`invoice_cancellation_in_progress`): guides of cancellations and of errors;
 * - an invoice with a valid payment complement is not cancelled: SAT, Guía de llenado del complemento para recepción de pagos;
 * - its files (`/xml`, `/pdf`): API document, downloadXml. The XML has what a test reads of Anexo 20, and no more;
 * - payment complements (type P) have the total 0: SAT, Anexo 20. What is refused of them, and of credit notes (type E):
 *   `facturapi-complements.ts`.
 */
export class FacturapiInvoices {
  readonly stamped = new Map<string, StampedInvoice>();
  /** What comes of a cancellation: at once, or when its receiver has answered. */
  cancellation: 'accepted' | 'pending' = 'accepted';

  reset(): void {
    this.stamped.clear();
    this.cancellation = 'accepted';
  }

  answer(owner: string, method: string, path: string, sent: SentInvoice): StandInAnswer {
    if (method === 'POST') return this.create(owner, sent);
    const url = new URL(path, 'http://facturapi');
    const id = url.pathname.split('/')[3] ?? '';
    const invoice = this.stamped.get(id);
    if (invoice?.owner !== owner) return refused(404, 'invoice_not_found');
    const format = url.pathname.split('/')[4];
    if (format !== undefined) return fileOf(invoice, format);
    if (method === 'DELETE') {
      if (invoice.status !== 'valid' || invoice.cancellation_status === 'pending') {
        return refused(409, 'invoice_cancellation_in_progress');
      }
      if (isPaid(this.stamped.values(), invoice)) return refused(400, 'no cancelable');
      const motive = url.searchParams.get('motive');
      const substitution = url.searchParams.get('substitution') ?? undefined;
      const isWhole = motive !== null && (motive === '01') === (substitution !== undefined);
      if (!isWhole) return refused(400, 'invalid_request');
      Object.assign(invoice, { motive, substitution });
      invoice.cancellation_status = this.cancellation;
      if (this.cancellation === 'accepted') invoice.status = 'canceled';
    }
    return this.show(id, invoice);
  }

  private create(owner: string, sent: SentInvoice): StandInAnswer {
    const { idempotency_key: key, items = [] } = sent;
    const known = [...this.stamped].find(
      ([, one]) => one.owner === owner && one.sent.idempotency_key === key,
    );
    if (known !== undefined) return this.show(...known);
    const stamped = this.stamped.values();
    const problemsOf = {
      P: () => problemOfPayment(stamped, owner, sent),
      E: () => problemOfCreditNote(stamped, owner, sent),
      I: () => problemOfInvoice(sent),
    };
    const type = (['P', 'E'] as const).find((one) => one === sent.type) ?? 'I';
    const series = sent['series'] ?? 'A';
    const isSeries = typeof series === 'string' && series.length <= 25;
    const problem = isSeries ? (problemOfReceiver(sent) ?? problemsOf[type]()) : 'invalid_series';
    if (problem !== undefined) return refused(400, problem);
    const id = `inv_${this.stamped.size + 1}`;
    const invoice: StampedInvoice = {
      owner,
      status: 'valid',
      cancellation_status: 'none',
      uuid: randomUUID(),
      total: satTotalCents(items) / 100,
      sent,
    };
    this.stamped.set(id, invoice);
    return this.show(id, invoice);
  }

  private show(
    id: string,
    { status, cancellation_status, uuid, total, sent: { type } }: StampedInvoice,
  ): StandInAnswer {
    return { body: { id, type, status, cancellation_status, uuid, total } };
  }
}

/** With a part of what a CFDI 4.0 has; a PDF is no more than its name here. */
function fileOf({ uuid, total }: StampedInvoice, format: string): StandInAnswer {
  if (format === 'pdf')
    return { headers: { 'content-type': 'application/pdf' }, body: `%PDF ${uuid}` };
  const stamp = `<tfd:TimbreFiscalDigital Version="1.1" UUID="${uuid.toUpperCase()}"/>`;
  const xml = `<?xml version="1.0"?><cfdi:Comprobante Version="4.0" Total="${total}">${stamp}</cfdi:Comprobante>`;
  return { headers: { 'content-type': 'application/xml' }, body: xml };
}

function problemOfReceiver({ customer = {} }: SentInvoice): string | undefined {
  const { tax_id: rfc, legal_name: name, tax_system: regime, address } = customer;
  const taxpayer = TAXPAYERS[String(rfc)];
  if (taxpayer === undefined) return 'tax_id_not_found';
  if (taxpayer.name !== name) return 'legal_name_mismatch';
  if (taxpayer.regime !== regime) return 'tax_system_not_allowed_for_tax_id';
  if (taxpayer.zip !== (address as { zip?: unknown } | undefined)?.zip) {
    return 'tax_address_zip_mismatch';
  }
  return undefined;
}

function problemOfInvoice(sent: SentInvoice): string | undefined {
  const isDeferred = sent['payment_method'] === 'PPD';
  if (isDeferred !== (sent['payment_form'] === '99')) return 'CFDI40124: PPD and 99 go together';
  if (typeof sent['use'] !== 'string') return 'invalid_request';
  return undefined;
}

function refused(status: number, message: string): StandInAnswer {
  return { status, body: { ok: false, message, status, code: message } };
}
