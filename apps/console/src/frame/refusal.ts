import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import { catalogue } from '@fiado/contracts/error-catalogue';
import type { ErrorCode } from '@fiado/contracts/errors';
import { ApiRefusal } from '../api';
import { link } from './formats';
import type { Page } from './visit';
import { say, naming } from './words';

type Sentence = [es: string, en: string];

/**
 * What the API's codes mean to a person. Of a code with a Spanish text alone, the English one is that of the
 * API's catalogue.
 */
const SENTENCES: Partial<Record<ErrorCode | 'BAD_REQUEST', string | Sentence>> = {
  BAD_REQUEST: [
    'No se guardó nada: revisa los datos.',
    'Nothing was saved: check what you entered.',
  ],
  FORBIDDEN: ['Tu rol no permite esto.', 'Your role does not allow this.'],
  SERVICE_UNAVAILABLE: [
    'Fiado no responde. Intenta en un momento.',
    'Fiado does not answer. Try again in a moment.',
  ],
  PRIVACY_REQUEST_NOT_FOUND: ['La solicitud no existe.', 'The request does not exist.'],
  PRIVACY_REQUEST_ALREADY_OPEN: 'La persona ya tiene una solicitud abierta de este tipo.',
  PRIVACY_REQUEST_IS_NOT_OPEN:
    'La solicitud ya tiene respuesta, o su plazo ya no se puede prorrogar.',
  PERSON_HAS_OPEN_BALANCE: [
    'La persona debe, tiene un pedido abierto o saldo a favor, así que no se bloqueó. Niega la solicitud porque el contrato sigue vigente, o prorroga el plazo.',
    'The person owes, has an open order or a credit balance, so they were not blocked. Refuse the request because the contract is in force, or extend the time.',
  ],
  CORNER_STORE_IS_BLOCKED: 'La tienda está bloqueada a petición de su dueño. Nada cambió.',
  CORNER_STORE_IS_PAUSED:
    'La tienda está en pausa: primero otra persona levanta la pausa. Nada cambió.',
  TRANSACTION_NOT_CREDITABLE: 'El pedido no se ha entregado, o es de antes de las liquidaciones.',
  CREDIT_NOTE_AMOUNT_NOT_ALLOWED: 'Es más de lo que queda de lo entregado.',
  CREDIT_NOTE_ALREADY_EXISTS: 'El pedido ya tiene una nota con esa referencia.',
  CHANGE_REQUEST_NOT_FOUND: ['La solicitud no existe.', 'The request does not exist.'],
  CHANGE_REQUEST_IS_NOT_PENDING: 'La solicitud ya se decidió o caducó. Nada cambió.',
  CHANGE_TARGET_CHANGED:
    'El registro cambió después de la solicitud, así que terminó sin aplicarse. Pide el cambio otra vez.',
  CHANGE_IS_STALE: 'El registro cambió después de la solicitud. Pide el cambio otra vez.',
  CHANGE_ALREADY_REQUESTED: 'Otro cambio de este registro ya espera aprobación. Nada cambió.',
  SECOND_PERSON_REQUIRED:
    'Quien pide un cambio no lo decide, y solo quien pidió una llave la recoge.',
  SIGN_IN_REQUIRED: 'Para decidir tienes que haber entrado hace menos de cinco minutos.',
  SIGN_IN_NOT_VALID: 'La entrada no es válida o tardó demasiado. Empieza de nuevo.',
  SIGN_IN_NOT_ALLOWED:
    'Tu cuenta de la empresa no tiene acceso a Fiado. Pide a un administrador que te lo dé.',
  CUSTOMER_CONFLICT: 'Una fila contradice a un cliente que ya existe. No se importó nada.',
  PROVIDER_ALREADY_EXISTS: 'Ya hay un proveedor de pagos con ese nombre.',
  REASON_REQUIRED:
    'Falta el motivo de esta decisión. Una tienda con datos incompletos también lo necesita.',
  CORNER_STORE_NOT_FOUND: 'La tienda no existe o todavía no tiene entregas.',
  EXPORT_NOT_FOUND: ['La exportación no existe.', 'The export does not exist.'],
  EXPORT_NOT_READY: 'La exportación no tiene archivo: no ha terminado, falló o ya se borró.',
  EXPORT_LIMIT_REACHED: 'Ya tienes dos exportaciones en proceso. Espera a que termine una.',
  DEPOSIT_NOT_FOUND: ['El depósito no existe.', 'The deposit does not exist.'],
  REVERSAL_REQUEST_NOT_FOUND: 'Nadie espera ya la reversión de este depósito.',
  DEPOSIT_IS_NOT_UNMATCHED: 'El depósito ya se asignó o se revirtió. Nada cambió.',
  DEPOSIT_IS_NOT_ASSIGNED: 'El depósito no está aplicado a ninguna tienda. Nada cambió.',
  PAYOUT_NOT_FOUND: ['El pago no existe.', 'The payout does not exist.'],
  PAYOUT_AMOUNT_NOT_ALLOWED:
    'El saldo a favor que se puede pagar no alcanza: lo que viene de una nota de crédito espera a que se liquide al mayorista. Nada cambió.',
  PAYOUT_IS_NOT_PAID: 'El pago no salió, así que el banco no pudo devolverlo.',
  BANK_REFERENCE_ALREADY_USED: 'Otro pago ya usa esta referencia del banco. Nada cambió.',
  REPORT_NOT_FOUND: [
    'Todavía no hay cifras de esos días.',
    'There are no figures of these days yet.',
  ],
  ADJUSTMENT_NOT_ALLOWED:
    'El pedido no se ha entregado, o el ajuste es mayor que lo que queda de lo liquidado.',
  DISPUTE_NOT_FOUND: ['La disputa no existe.', 'The dispute does not exist.'],
  DISPUTE_ALREADY_OPEN: 'El pedido ya tiene una disputa sin decidir.',
  DISPUTE_IS_NOT_OPEN: 'La disputa ya se decidió. Nada cambió.',
  TRANSACTION_NOT_DISPUTABLE: 'El pedido no se ha entregado, o ya se acreditó por completo.',
  INVOICE_NOT_FOUND: ['El pedido no tiene comprobante.', 'The order has no tax document.'],
  TAX_PROFILE_NOT_FOUND: ['No tiene datos fiscales.', 'It has no tax profile.'],
  INVOICE_FILE_NOT_FOUND: ['El comprobante no tiene archivo.', 'The tax document has no file.'],
  INVOICE_NOT_CANCELLABLE: [
    'El comprobante no está emitido, o falta el folio que lo sustituye (motivo 01).',
    'The document is not issued, or the folio that replaces it is missing (motive 01).',
  ],
  STATEMENT_NOT_FOUND: ['La liquidación no existe.', 'The statement does not exist.'],
  STATEMENT_NOT_PAYABLE: 'La liquidación ya está pagada. Nada cambió.',
  STATEMENT_IS_NOT_PAID: 'La liquidación no tiene un pago, así que el banco no pudo devolverlo.',
  TRANSACTION_NOT_FOUND: ['El pedido no existe.', 'The order does not exist.'],
  WHOLESALER_NOT_FOUND: ['El mayorista no existe.', 'The wholesaler does not exist.'],
  API_KEY_NOT_FOUND: ['La llave no existe.', 'The key does not exist.'],
  JOB_NOT_FOUND: ['El trabajo ya no está en la fila.', 'The job is no longer in the queue.'],
  JOB_IS_NOT_FAILED: 'El trabajo ya no está fallido: alguien lo repitió.',
  WEBHOOK_ENDPOINT_NOT_FOUND: ['Esa dirección ya no existe.', 'That endpoint no longer exists.'],
  STAFF_NOT_FOUND: ['Esa persona no existe.', 'That person does not exist.'],
  STAFF_ALREADY_EXISTS: 'Ese correo es de alguien con otro nombre u otro rol.',
  CONFIRMATION_REQUIRED: [
    'Los valores no son usuales: confírmalos.',
    'The values are unusual: confirm them.',
  ],
  TRANSACTION_IS_VERIFIED: [
    'La tienda ya confirmó este pedido. No se envió nada.',
    'The store has already confirmed this order. Nothing was sent.',
  ],
  TRANSACTION_IS_NOT_IN_HOLD: [
    'El pedido no está confirmado, o ya se entregó o se canceló.',
    'The order is not confirmed, or is already delivered or cancelled.',
  ],
  DELIVERY_WORD_NOT_FOUND: [
    'Este pedido no tiene palabra de entrega.',
    'This order has no delivery word.',
  ],
  VERIFICATION_NOT_FOUND: 'El pedido ya no espera una clave.',
  VERIFICATION_NOT_VALID: [
    'La clave ya no sirve. Pide al mayorista un pedido nuevo.',
    'The code is no longer valid. Ask the wholesaler for a new order.',
  ],
  TOO_MANY_ATTEMPTS: [
    'Hubo demasiados intentos o mensajes, o el teléfono de la tienda cambió hace poco. Espera, o llama a la tienda.',
    'There were too many attempts or messages, or the phone of the store was changed lately. Wait, or call the store.',
  ],
  TOO_MANY_REVEALS: [
    'Ya viste 30 teléfonos en un día. Pide ayuda a alguien con el rol Operación.',
    'You have seen 30 phones in a day. Ask somebody with the role Operator.',
  ],
  USER_NOT_FOUND: ['La tienda no existe.', 'The store does not exist.'],
  USER_IS_VERIFIED: ['La tienda ya está aprobada.', 'The store is already approved.'],
  USER_IN_MANUAL_VALIDATION: ['La tienda espera validación.', 'The store waits for validation.'],
  USER_IS_IN_INTERNAL_VALIDATION: [
    'La tienda espera validación.',
    'The store waits for validation.',
  ],
  USER_NOT_VERIFIED: ['La tienda no está aprobada.', 'The store is not approved.'],
  USER_IS_IN_DEFAULT: ['La tienda tiene un pago con atraso.', 'The store has an overdue payment.'],
  CREDIT_LIMIT_EXCEEDED: 'El monto es mayor que la línea disponible.',
  MINIMAL_TRANSACTION_REQUIRED: 'El monto es menor que el pedido mínimo del mayorista.',
  INVALID_DELIVERY_DATE: 'La fecha de entrega ya pasó, o es de más de un año.',
  DUPLICATED_TRANSACTION: 'Ya hay un pedido con esa clave del mayorista.',
  DELIVERY_WORD_NOT_VALID: ['La palabra de entrega no es esa.', 'The delivery word is wrong.'],
  TRANSACTION_AMOUNT_NOT_ALLOWED: 'Se entregó más de lo que la tienda confirmó.',
  PHONE_NUMBER_ALREADY_EXISTS: 'Otra tienda ya usa ese teléfono.',
  RECEIVABLE_NOT_FOUND: 'El adeudo no existe: nace con la entrega.',
  RECEIVABLE_IS_NOT_OVERDUE: 'El adeudo no tiene atraso. Nada cambió.',
  DEPOSIT_CONFLICT: 'Ya se recibió otro depósito con esa clave de pago.',
  DOCUMENT_NOT_FOUND: ['El documento no existe.', 'The document does not exist.'],
  OPS_KEY_NOT_FOUND: ['La llave no existe.', 'The key does not exist.'],
  PROVIDER_NOT_FOUND: ['El proveedor de pagos no existe.', 'The payment provider does not exist.'],
  LAST_ADMIN: 'Es la última persona con el rol Administración: dale ese rol a otra primero.',
  ROUTE_NOT_FOUND: ['Eso no existe.', 'That does not exist.'],
  RATE_LIMIT_EXCEEDED: 'Son demasiadas solicitudes. Espera unos segundos.',
  IDEMPOTENCY_CONFLICT: [
    'Este formulario ya se envió y todavía se procesa. Espera unos segundos y revisa.',
    'This form was sent already and is still in progress. Wait a few seconds, and look.',
  ],
  IDEMPOTENCY_KEY_REUSED: [
    'Este formulario ya se envió con otros datos. Ábrelo otra vez.',
    'This form was sent already, with other values. Open it again.',
  ],
  INTERNAL_ERROR: [
    'Fiado tuvo una falla. Intenta en un momento.',
    'Fiado failed. Try again in a moment.',
  ],
  STAFF_SESSION_NOT_FOUND: ['Esa sesión ya terminó.', 'That session has already ended.'],
};

const UNKNOWN: Sentence = [
  'Fiado no aceptó el cambio. Nada cambió.',
  'Fiado refused this. Nothing changed.',
];

const BY_STATUS: Record<number, Sentence> = {
  401: ['Tu sesión terminó. Entra otra vez.', 'Your session has ended. Sign in again.'],
  404: ['Eso no existe.', 'That does not exist.'],
  429: ['Son demasiados intentos. Espera un minuto.', 'Too many attempts. Wait a minute.'],
};

/** A refusal's code as a sentence. */
export function sentenceOf(code: string, status = 0): string {
  const known = (SENTENCES as Record<string, string | Sentence | undefined>)[code];
  if (typeof known !== 'string') return say(...(known ?? BY_STATUS[status] ?? UNKNOWN));
  return say(known, `${catalogue[code as ErrorCode].title}.`);
}

/** Why the API refused something: a sentence, what exactly was wrong, and where to go on. */
export function refusalText({ status, code, message, fields }: ApiRefusal): Html {
  const { changeRequestId } = fields;
  return html`<p>${sentenceOf(code, status)}</p>
    ${
      code === 'BAD_REQUEST' &&
      message !== '' &&
      html`<details>
        <summary>${say('Detalle técnico', 'Technical detail')}</summary>
        <p lang="en">${message}</p>
      </details>`
    }
    ${
      typeof changeRequestId === 'string' &&
      html`<p>
        ${link(`/aprobaciones/${changeRequestId}`, say('Ver la solicitud', 'See the request'))}
      </p>`
    }`;
}

/** Leads back from a page that has nothing else to offer. */
export function homeLink(): Html {
  return html`<p>${link('/', say('Volver al inicio', 'Back to the start'))}</p>`;
}

/** The page of a refusal that no form explains. */
export function refusalPage(refusal: ApiRefusal): Page {
  return {
    status: refusal.status,
    title: say('No se pudo', 'Not done'),
    problem: refusalText(refusal),
    content: homeLink(),
  };
}

/** The answer to a form whose change needs a second person. @param back the page of the form */
export function waitingPage(changeRequestId: string, back: string): Page {
  return {
    status: 202,
    title: say('Espera aprobación', 'Waiting for approval'),
    content: html`<p class="notice" role="status">
        ${say(
          'El cambio espera la aprobación de otra persona. Todavía no vale.',
          'The change waits for another person’s approval. It does not count yet.',
        )}
      </p>
      <p>${link(`/aprobaciones/${changeRequestId}`, say('Ver la solicitud', 'See the request'))}</p>
      <p>${link(back, say('Volver a donde estabas', 'Back to where you were'))}</p>`,
  };
}

/** Says which services did not answer, so that nobody takes their silence for nothing. */
export function missingNotice(missing: string[]): HtmlValue {
  if (missing.length === 0) return undefined;
  const names = missing.map((name) => serviceName(name)).join(', ');
  return html`<p class="problem" role="status">
    ${say(`Falta lo de: ${names}. No respondieron; intenta en un momento.`, `Without: ${names}. They did not answer; try again in a moment.`)}
  </p>`;
}

/** A service as a person knows it. */
export const serviceName = naming({
  accounts: ['cuentas', 'accounts'],
  transactions: ['pedidos', 'orders'],
  payments: ['pagos', 'payments'],
  notifier: ['mensajes', 'messages'],
  // Of a search just after a start.
  names: ['nombres', 'names'],
});
