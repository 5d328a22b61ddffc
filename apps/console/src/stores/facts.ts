import type { Html } from '@fiado/chassis/html';
import { changeFieldName, changeValue, failureText, kindName } from '../approvals/change-words';
import { exportName } from '../exports/exports';
import { inFours, isId, link, pesosOf, textOf, timeOf } from '../frame/formats';
import { sentenceOf } from '../frame/refusal';
import {
  anyStateName,
  creditReasonName,
  naming,
  revealReasonName,
  say,
  stepName,
  templateName,
} from '../frame/words';
import { messageReasonName } from '../messages/messages';
import * as privacy from '../privacy/privacy-words';

const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
/** Ids that people write down: those of a wholesaler. */
const THEIR_IDS = ['wholesalerTransactionId', 'externalId'];

/** Facts of an event or an entry of the audit log, in words. Ids of Fiado are left out: nobody reads them. */
export function factLines(type: string, facts: Record<string, unknown>): Array<string | Html> {
  return Object.entries(facts).flatMap(([name, value]): Array<string | Html> => {
    if (name === 'depositId' && typeof value === 'string') {
      return [link(`/depositos/${value}`, say('Ver el depósito', 'See the deposit'))];
    }
    if (value === null || value === undefined) return [];
    if (isId(value) && !THEIR_IDS.includes(name)) return [];
    return [`${factName(name)}: ${factText(type, name, value)}`];
  });
}

const ownFactName = naming({
  totalAmount: ['monto', 'amount'],
  askedAmount: ['pidió', 'asked for'],
  availableAmount: ['tenía disponible', 'was available'],
  minimumAmount: ['pedido mínimo', 'smallest order'],
  operation: ['operación', 'operation'],
  errorCode: ['por qué', 'why'],
  amount: ['monto', 'amount'],
  amountDue: ['debe', 'due'],
  amountCents: ['monto', 'amount'],
  grossCents: ['monto', 'amount'],
  commissionCents: ['comisión', 'commission'],
  creditUsed: ['línea usada', 'credit used'],
  incrementalID: ['pedido', 'order'],
  idFactura: ['factura', 'invoice'],
  wholesalerTransactionId: ['clave del mayorista', 'their id'],
  externalId: ['clave de cliente', 'customer id'],
  status: ['estado', 'status'],
  reason: ['motivo', 'reason'],
  failure: ['por qué', 'why'],
  template: ['texto', 'text'],
  channel: ['canal', 'channel'],
  phoneNumber: ['teléfono', 'phone'],
  attempts: ['intentos', 'attempts'],
  sentAt: ['enviado', 'sent'],
  expiresAt: ['caduca', 'expires'],
  dueAt: ['último día', 'last day'],
  heldUntil: ['espera hasta', 'held until'],
  step: ['paso', 'step'],
  codeStatus: ['estado de la clave', 'state of the code'],
  codeSends: ['claves enviadas', 'codes sent'],
  codeChecks: ['intentos de la clave', 'checks of the code'],
  codeExpiresAt: ['la clave caduca', 'the code expires'],
  byLink: ['por enlace', 'by link'],
  kind: ['tipo', 'kind'],
  // Facts of the audit log alone.
  checks: ['revisiones', 'checks'],
  failed: ['con diferencia', 'that differ'],
  since: ['desde', 'since'],
  from: ['desde', 'from'],
  to: ['hasta', 'to'],
  until: ['hasta', 'until'],
  again: ['otra vez', 'again'],
  method: ['con', 'by'],
  format: ['formato', 'format'],
  links: ['enlaces', 'links'],
  resent: ['reenviados', 'sent again'],
  retried: ['reintentados', 'retried'],
  queue: ['cola', 'queue'],
  jobType: ['tipo de trabajo', 'type of job'],
  motive: ['clave del motivo', 'key of the motive'],
  identityProof: ['cómo probó quién es', 'proof of identity'],
  outcome: ['respuesta', 'answer'],
  reasonCode: ['motivo', 'reason'],
  changed: ['cambió', 'changed'],
  noticeVersion: ['versión del aviso', 'version of the notice'],
  disabledReason: ['estaba desactivada porque', 'was disabled because'],
  values: ['datos borrados', 'erased values'],
  files: ['archivos borrados', 'erased files'],
  sha256: ['huella', 'digest'],
});

function factName(name: string): string {
  const own = ownFactName(name);
  return own === name ? changeFieldName(name) : own;
}

/** What a wholesaler asked for, that was refused. */
const operationName = naming({
  createTransaction: ['pedir a crédito', 'to order on credit'],
  createTransactions: ['pedir por lote', 'to order in a batch'],
  checkTransaction: ['preguntar si alcanza', 'to ask whether it suffices'],
  confirmTransaction: ['confirmar con la clave', 'to confirm with the code'],
  resendTransactionCode: ['reenviar la clave', 'to send the code again'],
  createTransactionLink: ['hacer un enlace', 'to make a link'],
  deliverTransaction: ['entregar', 'to deliver'],
  cancelTransaction: ['cancelar', 'to cancel'],
  createCreditNote: ['dar una nota de crédito', 'to give a credit note'],
});

/** Why a request of a wholesaler was refused. */
export function refusalReason(code: string): string {
  // An item of a batch has a name of its own for the limit.
  return sentenceOf(code === 'INSUFFICIENT_CREDIT' ? 'CREDIT_LIMIT_EXCEEDED' : code);
}

function factText(type: string, name: string, value: unknown): string {
  const text = textOf(value);
  if (MOMENT.test(text)) return timeOf(text);
  if (typeof value === 'number' && /amount$|amountDue|creditUsed/i.test(name))
    return pesosOf(value);
  switch (name) {
    case 'operation':
      return operationName(text);
    case 'errorCode':
      return refusalReason(text);
    case 'failure':
      return failureText(text);
    case 'template':
      return templateName(value);
    case 'idFactura':
      return inFours(value);
    case 'step':
      return stepName(text);
    case 'kind':
      return kindIn(type, text);
    case 'channel':
      return text === 'whatsapp' ? 'WhatsApp' : privacy.channelName(text);
    case 'identityProof':
      return privacy.proofName(text);
    case 'outcome':
      return privacy.answerName(text);
    case 'reasonCode':
      return privacy.reasonName(text);
    case 'status':
      return anyStateName(value);
    case 'reason':
      return reasonText(value);
    default:
      return codeText(name, value);
  }
}

/** Of a credit note, a phone that was revealed, or a message; other reasons are texts of their own. */
function reasonText(value: unknown): string {
  const reason = revealReasonName(creditReasonName(value));
  return reason === value ? messageReasonName(reason) : reason;
}

/** What kind of thing it is: the names of the kinds are those of the page that has them. */
function kindIn(type: string, kind: string): string {
  if (type.startsWith('change.')) return kindName(kind);
  if (type.startsWith('privacy-')) return privacy.kindName(kind);
  return type.startsWith('export.') ? exportName(kind) : changeValue('kind', kind);
}

/** The fields whose values are codes. */
const CODES: Record<string, (code: unknown) => string> = {
  codeStatus: naming({
    pending: ['espera', 'pending'],
    approved: ['correcta', 'approved'],
    cancelled: ['cancelada', 'cancelled'],
  }),
  method: naming({
    passkey: ['su llave de acceso', 'a passkey'],
    'identity-provider': ['la cuenta de la empresa', 'the account of the company'],
    'sandbox-link': ['el enlace de su invitación', 'the link of the invitation'],
  }),
  disabledReason: naming({
    failing: ['fallaba', 'it failed'],
    gone: ['ya no existía', 'it was gone'],
    asked: ['lo pidió su dueño', 'its owner asked for it'],
  }),
  changed: naming({
    firstName: ['nombre', 'first name'],
    lastNames: ['apellidos', 'last names'],
    cornerStoreName: ['nombre de la tienda', 'name of the store'],
  }),
};

function codeText(name: string, value: unknown): string {
  const own = CODES[name];
  if (own === undefined) return changeValue(name, value);
  return Array.isArray(value) ? value.map(own).join(', ') : own(value);
}
