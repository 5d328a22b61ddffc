import { AUDIT_ACTIONS, type AuditAction } from '@fiado/contracts/audit-actions';
import { say, wordFor } from '../frame/words';

/** What people do, as the end of a sentence that begins with their name. */
function wordsOf(): Record<AuditAction, string> {
  return {
    ...lookActions(),
    'messages.resent': say('reenvió mensajes', 'sent messages again'),
    'jobs.retried': say('reintentó trabajos que fallaron', 'retried failed jobs'),
    ...exportActions(),
    ...paymentActions(),
    ...settlementActions(),
    'order-code.resent': say('reenvió la clave de un pedido', 'sent the code of an order again'),
    'delivery-word.reset': say('reenvió una palabra de entrega', 'sent a delivery word again'),
    'corner-store.changed': say('cambió las condiciones de', 'changed the terms of'),
    'corner-store.approved': say('aprobó a', 'approved'),
    'corner-store.rejected': say('rechazó a', 'rejected'),
    'corner-store.blocked': say('bloqueó a', 'blocked'),
    'corner-store.phone-hold-cleared': say('liberó el teléfono de', 'freed the phone of'),
    'corner-store.paused': say('pausó a', 'paused'),
    'corner-store.resumed': say('levantó la pausa de', 'lifted the pause of'),
    'customers.imported': say('importó clientes de', 'imported customers of'),
    'tax-profile.set': say('registró datos para facturar', 'set a tax profile'),
    'tax-profile.removed': say('borró datos para facturar', 'removed a tax profile'),
    'user.phone-changed': say('cambió un teléfono', 'changed a phone'),
    'user.phone-confirmed': say('confirmó un teléfono', 'confirmed a phone'),
    'user.names-changed': say('cambió un nombre', 'changed a name'),
    'onboarding.consented': say('registró un consentimiento de', 'recorded a consent of'),
    'onboarding.step-taken': say('registró un paso de', 'recorded a step of'),
    ...personActions(),
    'change.requested': say('pidió un cambio', 'asked for a change'),
    'change.approved': say('aprobó un cambio', 'approved a change'),
    'change.rejected': say('rechazó un cambio', 'rejected a change'),
    'change.executed': say('aplicó un cambio aprobado', 'made an approved change'),
    'change.failed': say('no pudo aplicar un cambio', 'could not make a change'),
    'wholesaler.created': say('creó el mayorista', 'created the wholesaler'),
    'wholesaler.changed': say('cambió las reglas de', 'changed the settings of'),
    'payment-provider.created': say('creó el proveedor de pagos', 'created the payment provider'),
    'payment-provider.changed': say('cambió el proveedor de pagos', 'changed the payment provider'),
    'payment-provider.signing-secret-issued': say(
      'creó un secreto de firma de',
      'issued a signing secret of',
    ),
    'api-key.issued': say('creó una llave de', 'issued a key of'),
    'api-key.revoked': say('revocó una llave', 'revoked a key'),
    'ops-key.issued': say('creó la llave de operación', 'issued the ops key'),
    'ops-key.revoked': say('revocó la llave de operación', 'revoked the ops key'),
    'credential.refused': say(
      'usó una credencial que no vale',
      'used a credential that is not valid',
    ),
    'data-key.rotated': say('cambió la llave de datos', 'rotated the data key'),
    'data-key.retired': say('borró una llave de datos', 'retired a data key'),
    ...accessActions(),
    'webhook-endpoint.enabled': say('activó una dirección', 'enabled an endpoint'),
  };
}

/** What was done; of an action of a later release, that there was another event. */
export function actionName(action: string): string {
  const name = wordFor(action, wordsOf());
  return name === action ? say('hizo otra cosa', 'did something else') : name;
}

/** Whether an action has words. */
export function isAction(action: string): boolean {
  return AUDIT_ACTIONS.some((one) => one === action);
}

/** All actions, for a filter. */
export function actionNames(): Array<readonly [action: string, name: string]> {
  return Object.entries(wordsOf());
}

function lookActions() {
  return {
    'corner-store.viewed': say('vio a', 'saw'),
    'corner-stores.listed': say('vio la lista de tiendas', 'saw the list of stores'),
    'documents.listed': say('vio los documentos de', 'saw the documents of'),
    'document.viewed': say('vio un documento de', 'saw a document of'),
    'verify.recorded': say('verificó que todo cuadre', 'verified that all agrees'),
    'phone.searched': say('buscó un teléfono', 'searched a phone'),
    'name.searched': say('buscó un nombre', 'searched a name'),
    'phone.revealed': say('vio el teléfono de', 'saw the phone of'),
    'messages.searched': say('vio los mensajes', 'saw the messages'),
  };
}

/** What concerns the data of a person. */
function personActions() {
  return {
    'privacy-request.opened': say('registró una solicitud de', 'recorded a request of'),
    'privacy-request.answered': say('respondió una solicitud de', 'answered a request of'),
    'privacy-request.done': say('terminó una solicitud de', 'finished a request of'),
    'privacy-package.fetched': say(
      'descargó la copia de los datos de una persona',
      'downloaded the copy of a person’s data',
    ),
    'person.blocked': say('bloqueó los datos de una persona', 'blocked a person’s data'),
    'person.erased': say('borró los datos de una persona', 'erased a person’s data'),
    'opposition.ended': say('quiso recordatorios otra vez', 'wanted reminders again'),
    'whatsapp.agreed': say('aceptó mensajes por WhatsApp', 'agreed to WhatsApp messages'),
    'whatsapp.ended': say('ya no quiso mensajes por WhatsApp', 'took back its consent to WhatsApp'),
  };
}

/** What concerns the money of a wholesaler. */
function settlementActions() {
  return {
    'credit-note.given': say('dio una nota de crédito', 'gave a credit note'),
    'dispute.opened': say(
      'anotó que una tienda no reconoce un pedido',
      'noted that a store disputes an order',
    ),
    'dispute.kept': say(
      'mantuvo el cobro de un pedido en disputa',
      'kept the debt of a disputed order',
    ),
    'dispute.credited': say('acreditó un pedido en disputa', 'credited a disputed order'),
    'statements.closed': say('cerró liquidaciones', 'closed statements'),
    'statement.paid': say(
      'registró el pago de una liquidación',
      'recorded the payment of a statement',
    ),
    'statement.returned': say(
      'registró la devolución del pago de una liquidación',
      'recorded a returned payment of a statement',
    ),
    'invoice.cancelled': say('pidió cancelar una factura', 'asked to cancel an invoice'),
    'invoice-file.viewed': say('abrió el archivo de una factura', 'opened the file of an invoice'),
    'invoice-issuer.set': say('definió quién factura por', 'set who issues the invoices of'),
    'invoice-issuer.removed': say(
      'quitó a quien factura por',
      'removed who issues the invoices of',
    ),
    'wholesaler-tax-profile.set': say('definió los datos fiscales de', 'set the tax profile of'),
    'wholesaler-tax-profile.removed': say(
      'quitó los datos fiscales de',
      'removed the tax profile of',
    ),
    'settlement.adjusted': say('corrigió una liquidación', 'corrected a statement'),
  };
}

/** What concerns the money of a store. */
function paymentActions() {
  return {
    'deposit.assigned': say('asignó un depósito', 'assigned a deposit'),
    'deposit.unassigned': say(
      'quitó un depósito a la tienda que lo tenía',
      'took a deposit away from the store that had it',
    ),
    'deposit.reversed': say('revirtió un depósito', 'reversed a deposit'),
    'deposit.reversal-refused': say(
      'no aceptó revertir un depósito',
      'refused to reverse a deposit',
    ),
    'payout.paid': say('pagó el saldo a favor de', 'paid out the credit balance of'),
    'payout.returned': say(
      'registró que el banco devolvió el pago a',
      'recorded that the bank returned the payout of',
    ),
    'receivable.written-off': say('castigó un adeudo', 'wrote a debt off'),
  };
}

/** What concerns the access of the lender's people. */
function accessActions() {
  return {
    'staff.invited': say('invitó a', 'invited'),
    'staff.role-changed': say('cambió el rol de', 'changed the role of'),
    'staff.disabled': say('quitó el acceso a', 'ended the access of'),
    'staff.passkey-enrolled': say('creó su llave de acceso', 'created a passkey'),
    'staff.signed-in': say('entró', 'signed in'),
    'staff.signed-in-elsewhere': say(
      'entró desde otra dirección',
      'signed in from another address',
    ),
    'staff.session-ended': say('terminó una sesión', 'ended a session'),
  };
}

function exportActions() {
  return {
    'export.requested': say('pidió una exportación', 'asked for an export'),
    'export.linked': say('creó un enlace a una exportación', 'made a link to an export'),
    'export.unlinked': say(
      'revocó los enlaces a una exportación',
      'revoked the links to an export',
    ),
    'export.downloaded': say('descargó una exportación', 'downloaded an export'),
  };
}
