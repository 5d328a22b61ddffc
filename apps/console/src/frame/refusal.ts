import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { ErrorCode } from '@fiado/contracts/errors';
import { ApiRefusal } from '../api';
import type { Page } from './visit';
import { wordFor, type Say } from './words';

type Sentence = [es: string, en: string];

/** What the API's codes mean to a person. */
const SENTENCES: Partial<Record<ErrorCode | 'BAD_REQUEST', Sentence>> = {
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
  PRIVACY_REQUEST_ALREADY_OPEN: [
    'La persona ya tiene una solicitud abierta de este tipo.',
    'The person has an open request of this kind.',
  ],
  PRIVACY_REQUEST_IS_NOT_OPEN: [
    'La solicitud ya tiene respuesta, o su plazo ya no se puede prorrogar.',
    'The request is answered, or its time cannot be extended any more.',
  ],
  PERSON_HAS_OPEN_BALANCE: [
    'La persona debe, tiene un pedido abierto o saldo a favor, así que no se bloqueó. Niega la solicitud porque el contrato sigue vigente, o prorroga el plazo.',
    'The person owes, has an open order or a credit balance, so they were not blocked. Refuse the request because the contract is in force, or extend the time.',
  ],
  CORNER_STORE_IS_BLOCKED: [
    'La tienda está bloqueada a petición de su dueño. Nada cambió.',
    'The store is blocked at the request of its owner. Nothing changed.',
  ],
  CORNER_STORE_IS_PAUSED: [
    'La tienda está en pausa: primero otra persona levanta la pausa. Nada cambió.',
    'The store is paused: a second person lifts the pause first. Nothing changed.',
  ],
  TRANSACTION_NOT_CREDITABLE: [
    'El pedido no se ha entregado, o es de antes de las liquidaciones.',
    'The order is not delivered, or is older than the statements.',
  ],
  CREDIT_NOTE_AMOUNT_NOT_ALLOWED: [
    'Es más de lo que queda de lo entregado.',
    'It is more than is left of what was delivered.',
  ],
  CREDIT_NOTE_ALREADY_EXISTS: [
    'El pedido ya tiene una nota con esa referencia.',
    'The order has a note with that reference already.',
  ],
  CHANGE_REQUEST_NOT_FOUND: ['La solicitud no existe.', 'The request does not exist.'],
  CHANGE_REQUEST_IS_NOT_PENDING: [
    'La solicitud ya se decidió o caducó. Nada cambió.',
    'The request is already decided, or has expired. Nothing changed.',
  ],
  CHANGE_TARGET_CHANGED: [
    'El registro cambió después de la solicitud, así que terminó sin aplicarse. Pide el cambio otra vez.',
    'The record was changed after the request, which ended undone. Ask for the change again.',
  ],
  CHANGE_IS_STALE: [
    'El registro cambió después de la solicitud. Pide el cambio otra vez.',
    'The record was changed after the request. Ask for the change again.',
  ],
  CHANGE_ALREADY_REQUESTED: [
    'Otro cambio de este registro ya espera aprobación. Nada cambió.',
    'Another change of this record already waits for approval. Nothing changed.',
  ],
  SECOND_PERSON_REQUIRED: [
    'Quien pide un cambio no lo decide, y solo quien pidió una llave la recoge.',
    'Who asks for a change does not decide it, and only who asked for a key collects it.',
  ],
  SIGN_IN_REQUIRED: [
    'Para decidir tienes que haber entrado hace menos de cinco minutos.',
    'To decide you must have signed in less than five minutes ago.',
  ],
  SIGN_IN_NOT_VALID: [
    'La entrada no es válida o tardó demasiado. Empieza de nuevo.',
    'The sign-in is not valid or took too long. Begin again.',
  ],
  SIGN_IN_NOT_ALLOWED: [
    'Tu cuenta de la empresa no tiene acceso a Fiado. Pide a un administrador que te lo dé.',
    'Your company account has no access to Fiado. Ask an administrator for it.',
  ],
  CUSTOMER_CONFLICT: [
    'Una fila contradice a un cliente que ya existe. No se importó nada.',
    'A row contradicts a customer that exists. Nothing was imported.',
  ],
  PROVIDER_ALREADY_EXISTS: [
    'Ya hay un proveedor de pagos con ese nombre.',
    'There is a payment provider with this name.',
  ],
  REASON_REQUIRED: [
    'Falta el motivo de esta decisión. Una tienda con datos incompletos también lo necesita.',
    'The reason of this decision is missing. A store with incomplete data needs one, too.',
  ],
  CORNER_STORE_NOT_FOUND: [
    'La tienda no existe o todavía no tiene entregas.',
    'The store does not exist, or has no delivery yet.',
  ],
  EXPORT_NOT_FOUND: ['La exportación no existe.', 'The export does not exist.'],
  EXPORT_NOT_READY: [
    'La exportación no tiene archivo: no ha terminado, falló o ya se borró.',
    'The export has no file: it is not finished, failed or is deleted.',
  ],
  EXPORT_LIMIT_REACHED: [
    'Ya tienes dos exportaciones en proceso. Espera a que termine una.',
    'You already have two exports in progress. Wait until one is ready.',
  ],
  DEPOSIT_NOT_FOUND: ['El depósito no existe.', 'The deposit does not exist.'],
  REVERSAL_REQUEST_NOT_FOUND: [
    'Nadie espera ya la reversión de este depósito.',
    'Nobody waits for the reversal of this deposit any more.',
  ],
  DEPOSIT_IS_NOT_UNMATCHED: [
    'El depósito ya se asignó o se revirtió. Nada cambió.',
    'The deposit is already assigned or reversed. Nothing changed.',
  ],
  DEPOSIT_IS_NOT_ASSIGNED: [
    'El depósito no está aplicado a ninguna tienda. Nada cambió.',
    'The deposit is not applied to any store. Nothing changed.',
  ],
  PAYOUT_NOT_FOUND: ['El pago no existe.', 'The payout does not exist.'],
  PAYOUT_AMOUNT_NOT_ALLOWED: [
    'El saldo a favor que se puede pagar no alcanza: lo que viene de una nota de crédito espera a que se liquide al mayorista. Nada cambió.',
    'The credit balance that can be paid out is smaller: what a credit note gave waits until its statement is settled. Nothing changed.',
  ],
  PAYOUT_IS_NOT_PAID: [
    'El pago no salió, así que el banco no pudo devolverlo.',
    'The payout was not paid, so the bank cannot have returned it.',
  ],
  BANK_REFERENCE_ALREADY_USED: [
    'Otro pago ya usa esta referencia del banco. Nada cambió.',
    'Another payment already has this bank reference. Nothing changed.',
  ],
  REPORT_NOT_FOUND: [
    'Todavía no hay cifras de esos días.',
    'There are no figures of these days yet.',
  ],
  ADJUSTMENT_NOT_ALLOWED: [
    'El pedido no se ha entregado, o el ajuste es mayor que lo que queda de lo liquidado.',
    'The order is not delivered, or the adjustment is above what is left of what was settled.',
  ],
  DISPUTE_NOT_FOUND: ['La disputa no existe.', 'The dispute does not exist.'],
  DISPUTE_ALREADY_OPEN: [
    'El pedido ya tiene una disputa sin decidir.',
    'The order has a dispute that is not decided.',
  ],
  DISPUTE_IS_NOT_OPEN: [
    'La disputa ya se decidió. Nada cambió.',
    'The dispute is already decided. Nothing changed.',
  ],
  TRANSACTION_NOT_DISPUTABLE: [
    'El pedido no se ha entregado, o ya se acreditó por completo.',
    'The order is not delivered, or all of it is credited.',
  ],
  INVOICE_NOT_FOUND: ['El pedido no tiene comprobante.', 'The order has no tax document.'],
  INVOICE_FILE_NOT_FOUND: ['El comprobante no tiene archivo.', 'The tax document has no file.'],
  INVOICE_NOT_CANCELLABLE: [
    'El comprobante no está emitido, o falta el folio que lo sustituye (motivo 01).',
    'The document is not issued, or the folio that replaces it is missing (motive 01).',
  ],
  STATEMENT_NOT_FOUND: ['La liquidación no existe.', 'The statement does not exist.'],
  STATEMENT_NOT_PAYABLE: [
    'La liquidación ya está pagada. Nada cambió.',
    'The statement is already paid. Nothing changed.',
  ],
  STATEMENT_IS_NOT_PAID: [
    'La liquidación no tiene un pago, así que el banco no pudo devolverlo.',
    'The statement has no payment, so the bank cannot have returned it.',
  ],
  TRANSACTION_NOT_FOUND: ['El pedido no existe.', 'The order does not exist.'],
  WHOLESALER_NOT_FOUND: ['El mayorista no existe.', 'The wholesaler does not exist.'],
  API_KEY_NOT_FOUND: ['La llave no existe.', 'The key does not exist.'],
  JOB_NOT_FOUND: ['El trabajo ya no está en la fila.', 'The job is no longer in the queue.'],
  JOB_IS_NOT_FAILED: [
    'El trabajo ya no está fallido: alguien lo repitió.',
    'The job is no longer failed: somebody retried it.',
  ],
  WEBHOOK_ENDPOINT_NOT_FOUND: ['Esa dirección ya no existe.', 'That endpoint no longer exists.'],
  STAFF_NOT_FOUND: ['Esa persona no existe.', 'That person does not exist.'],
  STAFF_ALREADY_EXISTS: [
    'Ese correo es de alguien con otro nombre u otro rol.',
    'This e-mail address belongs to somebody with another name or role.',
  ],
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
  VERIFICATION_NOT_FOUND: [
    'El pedido ya no espera una clave.',
    'The order no longer awaits a code.',
  ],
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
  CREDIT_LIMIT_EXCEEDED: [
    'El monto es mayor que la línea disponible.',
    'The amount is above the available credit line.',
  ],
  MINIMAL_TRANSACTION_REQUIRED: [
    'El monto es menor que el pedido mínimo del mayorista.',
    'The amount is below the smallest order of the wholesaler.',
  ],
  INVALID_DELIVERY_DATE: [
    'La fecha de entrega ya pasó, o es de más de un año.',
    'The delivery date is in the past, or more than a year ahead.',
  ],
  DUPLICATED_TRANSACTION: [
    'Ya hay un pedido con esa clave del mayorista.',
    'There is an order with this id of the wholesaler.',
  ],
  DELIVERY_WORD_NOT_VALID: ['La palabra de entrega no es esa.', 'The delivery word is wrong.'],
  TRANSACTION_AMOUNT_NOT_ALLOWED: [
    'Se entregó más de lo que la tienda confirmó.',
    'More was delivered than the store confirmed.',
  ],
  PHONE_NUMBER_ALREADY_EXISTS: [
    'Otra tienda ya usa ese teléfono.',
    'Another store has this phone.',
  ],
  RECEIVABLE_NOT_FOUND: [
    'El adeudo no existe: nace con la entrega.',
    'The debt does not exist: it begins with the delivery.',
  ],
  RECEIVABLE_IS_NOT_OVERDUE: [
    'El adeudo no tiene atraso. Nada cambió.',
    'The debt is not overdue. Nothing changed.',
  ],
  DEPOSIT_CONFLICT: [
    'Ya se recibió otro depósito con esa clave de pago.',
    'Another deposit with this claveDePago was received.',
  ],
  DOCUMENT_NOT_FOUND: ['El documento no existe.', 'The document does not exist.'],
  OPS_KEY_NOT_FOUND: ['La llave no existe.', 'The key does not exist.'],
  PROVIDER_NOT_FOUND: ['El proveedor de pagos no existe.', 'The payment provider does not exist.'],
  LAST_ADMIN: [
    'Es la última persona con el rol Administración: dale ese rol a otra primero.',
    'This is the last admin: make somebody else an admin first.',
  ],
  ROUTE_NOT_FOUND: ['Eso no existe.', 'That does not exist.'],
  RATE_LIMIT_EXCEEDED: [
    'Son demasiadas solicitudes. Espera unos segundos.',
    'Too many requests. Wait a few seconds.',
  ],
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
export function sentenceOf(code: string, say: Say, status = 0): string {
  const known = SENTENCES as Record<string, Sentence | undefined>;
  return say(...(known[code] ?? BY_STATUS[status] ?? UNKNOWN));
}

/** Why the API refused something: a sentence, what exactly was wrong, and where to go on. */
export function refusalText({ status, code, message, fields }: ApiRefusal, say: Say): Html {
  const { changeRequestId } = fields;
  return html`<p>${sentenceOf(code, say, status)}</p>
    ${
      code === 'BAD_REQUEST' && message !== ''
        ? html`<details>
            <summary>${say('Detalle técnico', 'Technical detail')}</summary>
            <p lang="en">${message}</p>
          </details>`
        : NOTHING
    }
    ${
      typeof changeRequestId === 'string'
        ? html`<p>
            <a href="/aprobaciones/${changeRequestId}"
              >${say('Ver la solicitud', 'See the request')}</a
            >
          </p>`
        : NOTHING
    }`;
}

/** The page of a refusal that no form explains. */
export function refusalPage(refusal: ApiRefusal, say: Say): Page {
  return {
    status: refusal.status,
    title: say('No se pudo', 'Not done'),
    problem: refusalText(refusal, say),
    content: html`<p><a href="/">${say('Volver al inicio', 'Back to the start')}</a></p>`,
  };
}

/** The answer to a form whose change needs a second person. @param back the page of the form */
export function waitingPage(changeRequestId: string, back: string, say: Say): Page {
  return {
    status: 202,
    title: say('Espera aprobación', 'Waiting for approval'),
    content: html`<p class="notice" role="status">
        ${say(
          'El cambio espera la aprobación de otra persona. Todavía no vale.',
          'The change waits for another person’s approval. It does not count yet.',
        )}
      </p>
      <p>
        <a href="/aprobaciones/${changeRequestId}">${say('Ver la solicitud', 'See the request')}</a>
      </p>
      <p><a href="${back}">${say('Volver a donde estabas', 'Back to where you were')}</a></p>`,
  };
}

/** Says which services did not answer, so that nobody takes their silence for nothing. */
export function missingNotice(missing: string[], say: Say): Html {
  if (missing.length === 0) return NOTHING;
  const names = missing.map((name) => serviceName(name, say)).join(', ');
  return html`<p class="problem" role="status">
    ${say(`Falta lo de: ${names}. No respondieron; intenta en un momento.`, `Without: ${names}. They did not answer; try again in a moment.`)}
  </p>`;
}

/** A service as a person knows it. */
export function serviceName(service: string, say: Say): string {
  return wordFor(service, {
    accounts: say('cuentas', 'accounts'),
    transactions: say('pedidos', 'orders'),
    payments: say('pagos', 'payments'),
    notifier: say('mensajes', 'messages'),
    // Of a search just after a start.
    names: say('nombres', 'names'),
  });
}
