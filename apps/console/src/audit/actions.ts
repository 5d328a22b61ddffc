import { AUDIT_ACTIONS, type AuditAction } from '@fiado/contracts/audit-actions';
import { say, naming, type Words } from '../frame/words';

/** What people do, as the end of a sentence that begins with their name. */
const ACTIONS: Words<AuditAction> = {
  'corner-store.viewed': ['vio a', 'saw'],
  'corner-stores.listed': ['vio la lista de tiendas', 'saw the list of stores'],
  'documents.listed': ['vio los documentos de', 'saw the documents of'],
  'document.viewed': ['vio un documento de', 'saw a document of'],
  'verify.recorded': ['verificó que todo cuadre', 'verified that all agrees'],
  'phone.searched': ['buscó un teléfono', 'searched a phone'],
  'name.searched': ['buscó un nombre', 'searched a name'],
  'phone.revealed': ['vio el teléfono de', 'saw the phone of'],
  'messages.searched': ['vio los mensajes', 'saw the messages'],
  'messages.resent': ['reenvió mensajes', 'sent messages again'],
  'jobs.retried': ['reintentó trabajos que fallaron', 'retried failed jobs'],
  'export.requested': ['pidió una exportación', 'asked for an export'],
  'export.linked': ['creó un enlace a una exportación', 'made a link to an export'],
  'export.unlinked': ['revocó los enlaces a una exportación', 'revoked the links to an export'],
  'export.downloaded': ['descargó una exportación', 'downloaded an export'],
  // The money of a store.
  'deposit.assigned': ['asignó un depósito', 'assigned a deposit'],
  'deposit.unassigned': [
    'quitó un depósito a la tienda que lo tenía',
    'took a deposit away from the store that had it',
  ],
  'deposit.reversed': ['revirtió un depósito', 'reversed a deposit'],
  'deposit.reversal-refused': ['no aceptó revertir un depósito', 'refused to reverse a deposit'],
  'payout.paid': ['pagó el saldo a favor de', 'paid out the credit balance of'],
  'payout.returned': [
    'registró que el banco devolvió el pago a',
    'recorded that the bank returned the payout of',
  ],
  'receivable.written-off': ['castigó un adeudo', 'wrote a debt off'],
  // The money of a wholesaler.
  'credit-note.given': ['dio una nota de crédito', 'gave a credit note'],
  'dispute.opened': [
    'anotó que una tienda no reconoce un pedido',
    'noted that a store disputes an order',
  ],
  'dispute.kept': ['mantuvo el cobro de un pedido en disputa', 'kept the debt of a disputed order'],
  'dispute.credited': ['acreditó un pedido en disputa', 'credited a disputed order'],
  'statements.closed': ['cerró liquidaciones', 'closed statements'],
  'statement.paid': ['registró el pago de una liquidación', 'recorded the payment of a statement'],
  'statement.returned': [
    'registró la devolución del pago de una liquidación',
    'recorded a returned payment of a statement',
  ],
  'invoice.cancelled': ['pidió cancelar una factura', 'asked to cancel an invoice'],
  'invoice-file.viewed': ['abrió el archivo de una factura', 'opened the file of an invoice'],
  'invoice-issuer.set': ['definió quién factura por', 'set who issues the invoices of'],
  'invoice-issuer.removed': ['quitó a quien factura por', 'removed who issues the invoices of'],
  'wholesaler-tax-profile.set': ['definió los datos fiscales de', 'set the tax profile of'],
  'wholesaler-tax-profile.removed': ['quitó los datos fiscales de', 'removed the tax profile of'],
  'settlement.adjusted': ['corrigió una liquidación', 'corrected a statement'],
  'order-code.resent': ['reenvió la clave de un pedido', 'sent the code of an order again'],
  'delivery-word.reset': ['reenvió una palabra de entrega', 'sent a delivery word again'],
  'corner-store.changed': ['cambió las condiciones de', 'changed the terms of'],
  'corner-store.approved': ['aprobó a', 'approved'],
  'corner-store.rejected': ['rechazó a', 'rejected'],
  'corner-store.blocked': ['bloqueó a', 'blocked'],
  'corner-store.phone-hold-cleared': ['liberó el teléfono de', 'freed the phone of'],
  'corner-store.paused': ['pausó a', 'paused'],
  'corner-store.resumed': ['levantó la pausa de', 'lifted the pause of'],
  'customers.imported': ['importó clientes de', 'imported customers of'],
  'tax-profile.set': ['registró datos para facturar', 'set a tax profile'],
  'tax-profile.removed': ['borró datos para facturar', 'removed a tax profile'],
  'user.phone-changed': ['cambió un teléfono', 'changed a phone'],
  'user.phone-confirmed': ['confirmó un teléfono', 'confirmed a phone'],
  'user.names-changed': ['cambió un nombre', 'changed a name'],
  'onboarding.consented': ['registró un consentimiento de', 'recorded a consent of'],
  'onboarding.step-taken': ['registró un paso de', 'recorded a step of'],
  // The data of a person.
  'privacy-request.opened': ['registró una solicitud de', 'recorded a request of'],
  'privacy-request.answered': ['respondió una solicitud de', 'answered a request of'],
  'privacy-request.done': ['terminó una solicitud de', 'finished a request of'],
  'privacy-package.fetched': [
    'descargó la copia de los datos de una persona',
    'downloaded the copy of a person’s data',
  ],
  'person.blocked': ['bloqueó los datos de una persona', 'blocked a person’s data'],
  'person.erased': ['borró los datos de una persona', 'erased a person’s data'],
  'opposition.ended': ['quiso recordatorios otra vez', 'wanted reminders again'],
  'whatsapp.agreed': ['aceptó mensajes por WhatsApp', 'agreed to WhatsApp messages'],
  'whatsapp.ended': ['ya no quiso mensajes por WhatsApp', 'took back its consent to WhatsApp'],
  'change.requested': ['pidió un cambio', 'asked for a change'],
  'change.approved': ['aprobó un cambio', 'approved a change'],
  'change.rejected': ['rechazó un cambio', 'rejected a change'],
  'change.executed': ['aplicó un cambio aprobado', 'made an approved change'],
  'change.failed': ['no pudo aplicar un cambio', 'could not make a change'],
  'wholesaler.created': ['creó el mayorista', 'created the wholesaler'],
  'wholesaler.changed': ['cambió las reglas de', 'changed the settings of'],
  'payment-provider.created': ['creó el proveedor de pagos', 'created the payment provider'],
  'payment-provider.changed': ['cambió el proveedor de pagos', 'changed the payment provider'],
  'payment-provider.signing-secret-issued': [
    'creó un secreto de firma de',
    'issued a signing secret of',
  ],
  'api-key.issued': ['creó una llave de', 'issued a key of'],
  'api-key.revoked': ['revocó una llave', 'revoked a key'],
  'ops-key.issued': ['creó la llave de operación', 'issued the ops key'],
  'ops-key.revoked': ['revocó la llave de operación', 'revoked the ops key'],
  'credential.refused': ['usó una credencial que no vale', 'used a credential that is not valid'],
  'data-key.rotated': ['cambió la llave de datos', 'rotated the data key'],
  'data-key.retired': ['borró una llave de datos', 'retired a data key'],
  // The access of the lender's people.
  'staff.invited': ['invitó a', 'invited'],
  'staff.role-changed': ['cambió el rol de', 'changed the role of'],
  'staff.disabled': ['quitó el acceso a', 'ended the access of'],
  'staff.passkey-enrolled': ['creó su llave de acceso', 'created a passkey'],
  'staff.signed-in': ['entró', 'signed in'],
  'staff.signed-in-elsewhere': ['entró desde otra dirección', 'signed in from another address'],
  'staff.session-ended': ['terminó una sesión', 'ended a session'],
  'webhook-endpoint.enabled': ['activó una dirección', 'enabled an endpoint'],
};

const wordsOf = naming(ACTIONS);

/** What was done; of an action of a later release, that there was another event. */
export function actionName(action: string): string {
  const name = wordsOf(action);
  return name === action ? say('hizo otra cosa', 'did something else') : name;
}

/** Whether an action has words. */
export function isAction(action: string): boolean {
  return AUDIT_ACTIONS.some((one) => one === action);
}

/** All actions, for a filter. */
export function actionNames(): Array<readonly [action: string, name: string]> {
  return Object.entries(ACTIONS).map(([action, [es, en]]) => [action, say(es, en)]);
}
