import type { Html } from '@fiado/chassis/html';
import { changeFieldName, changeValue, failureText, kindName } from '../approvals/change-words';
import { exportName } from '../exports/exports';
import { inFours, isId, link, pesosOf, textOf, timeOf } from '../frame/formats';
import { sentenceOf } from '../frame/refusal';
import {
  anyStateName,
  creditReasonName,
  revealReasonNames,
  say,
  stepName,
  templateName,
  wordFor,
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

function factName(name: string): string {
  const own = wordFor(name, {
    totalAmount: say('monto', 'amount'),
    askedAmount: say('pidió', 'asked for'),
    availableAmount: say('tenía disponible', 'was available'),
    minimumAmount: say('pedido mínimo', 'smallest order'),
    operation: say('operación', 'operation'),
    errorCode: say('por qué', 'why'),
    amount: say('monto', 'amount'),
    amountDue: say('debe', 'due'),
    amountCents: say('monto', 'amount'),
    grossCents: say('monto', 'amount'),
    commissionCents: say('comisión', 'commission'),
    creditUsed: say('línea usada', 'credit used'),
    incrementalID: say('pedido', 'order'),
    idFactura: say('factura', 'invoice'),
    wholesalerTransactionId: say('clave del mayorista', 'their id'),
    externalId: say('clave de cliente', 'customer id'),
    status: say('estado', 'status'),
    reason: say('motivo', 'reason'),
    failure: say('por qué', 'why'),
    template: say('texto', 'text'),
    channel: say('canal', 'channel'),
    phoneNumber: say('teléfono', 'phone'),
    attempts: say('intentos', 'attempts'),
    sentAt: say('enviado', 'sent'),
    expiresAt: say('caduca', 'expires'),
    dueAt: say('último día', 'last day'),
    heldUntil: say('espera hasta', 'held until'),
    step: say('paso', 'step'),
    codeStatus: say('estado de la clave', 'state of the code'),
    codeSends: say('claves enviadas', 'codes sent'),
    codeChecks: say('intentos de la clave', 'checks of the code'),
    codeExpiresAt: say('la clave caduca', 'the code expires'),
    byLink: say('por enlace', 'by link'),
    kind: say('tipo', 'kind'),
    ...auditFactNames(),
  });
  return own === name ? changeFieldName(name) : own;
}

/** Facts of the audit log alone. */
function auditFactNames(): Record<string, string> {
  return {
    checks: say('revisiones', 'checks'),
    failed: say('con diferencia', 'that differ'),
    since: say('desde', 'since'),
    from: say('desde', 'from'),
    to: say('hasta', 'to'),
    until: say('hasta', 'until'),
    again: say('otra vez', 'again'),
    method: say('con', 'by'),
    format: say('formato', 'format'),
    links: say('enlaces', 'links'),
    resent: say('reenviados', 'sent again'),
    retried: say('reintentados', 'retried'),
    queue: say('cola', 'queue'),
    jobType: say('tipo de trabajo', 'type of job'),
    motive: say('clave del motivo', 'key of the motive'),
    identityProof: say('cómo probó quién es', 'proof of identity'),
    outcome: say('respuesta', 'answer'),
    reasonCode: say('motivo', 'reason'),
    changed: say('cambió', 'changed'),
    noticeVersion: say('versión del aviso', 'version of the notice'),
    disabledReason: say('estaba desactivada porque', 'was disabled because'),
    values: say('datos borrados', 'erased values'),
    files: say('archivos borrados', 'erased files'),
    sha256: say('huella', 'digest'),
  };
}

/** What a wholesaler asked for, that was refused. */
function operationName(operation: string): string {
  return wordFor(operation, {
    createTransaction: say('pedir a crédito', 'to order on credit'),
    createTransactions: say('pedir por lote', 'to order in a batch'),
    checkTransaction: say('preguntar si alcanza', 'to ask whether it suffices'),
    confirmTransaction: say('confirmar con la clave', 'to confirm with the code'),
    resendTransactionCode: say('reenviar la clave', 'to send the code again'),
    createTransactionLink: say('hacer un enlace', 'to make a link'),
    deliverTransaction: say('entregar', 'to deliver'),
    cancelTransaction: say('cancelar', 'to cancel'),
    createCreditNote: say('dar una nota de crédito', 'to give a credit note'),
  });
}

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
  const reason = wordFor(creditReasonName(value), revealReasonNames());
  return reason === value ? messageReasonName(reason) : reason;
}

/** What kind of thing it is: the names of the kinds are those of the page that has them. */
function kindIn(type: string, kind: string): string {
  if (type.startsWith('change.')) return kindName(kind);
  if (type.startsWith('privacy-')) return privacy.kindName(kind);
  return type.startsWith('export.') ? exportName(kind) : changeValue('kind', kind);
}

/** A value that is a code of its field. */
function codeText(name: string, value: unknown): string {
  const words: Record<string, Record<string, string>> = {
    codeStatus: {
      pending: say('espera', 'pending'),
      approved: say('correcta', 'approved'),
      cancelled: say('cancelada', 'cancelled'),
    },
    method: {
      passkey: say('su llave de acceso', 'a passkey'),
      'identity-provider': say('la cuenta de la empresa', 'the account of the company'),
      'sandbox-link': say('el enlace de su invitación', 'the link of the invitation'),
    },
    disabledReason: {
      failing: say('fallaba', 'it failed'),
      gone: say('ya no existía', 'it was gone'),
      asked: say('lo pidió su dueño', 'its owner asked for it'),
    },
    changed: {
      firstName: say('nombre', 'first name'),
      lastNames: say('apellidos', 'last names'),
      cornerStoreName: say('nombre de la tienda', 'name of the store'),
    },
  };
  const own = words[name];
  if (own === undefined) return changeValue(name, value);
  return Array.isArray(value)
    ? value.map((one) => wordFor(one, own)).join(', ')
    : wordFor(value, own);
}
