import { CHANGE_TARGET_CHANGED, type ChangeKindName } from '@fiado/contracts/change-requests';
import { dayOf, isId, percentOf, pesosOf, phoneOf, textOf, timeOf } from '../frame/formats';
import { sentenceOf } from '../frame/refusal';
import { anyStateName, creditReasonName, roleName, say, naming } from '../frame/words';
import { lineKindName } from '../statements/draft';

type Pair = [es: string, en: string];

/** What a request of a kind asks for, and in a sentence why it waits. */
const KINDS: Record<ChangeKindName, [name: Pair, why: Pair]> = {
  'corner-store.terms': [
    ['condiciones de una tienda', 'terms of a store'],
    [
      'Otra persona decide cualquier cambio de tasa, y una línea cuyas subidas por una sola persona pasan, en suma, de 25% o de $10,000 desde que dos la aprobaron (o desde la importación).',
      'A limit that people raise, one at a time, by more than 25 % or $10,000 in sum since two people approved it (or since the import), and any other rate, is for a second person to decide.',
    ],
  ],
  'customers.import': [
    ['importación de clientes', 'import of customers'],
    [
      'Una importación trae líneas y tasas nuevas: la decide otra persona, con todas sus filas.',
      'An import brings new limits and rates: a second person decides on all its rows.',
    ],
  ],
  'wholesaler.create': [
    ['mayorista nuevo', 'new wholesaler'],
    [
      'Un mayorista nuevo con reglas menos estrictas que las usuales lo decide otra persona.',
      'A new wholesaler with settings that are less strict than usual is for a second person to decide.',
    ],
  ],
  'wholesaler.settings': [
    ['reglas de un mayorista', 'settings of a wholesaler'],
    [
      'Una regla menos estricta deja entregar más sin la tienda.',
      'A setting that is less strict lets more be delivered without the store.',
    ],
  ],
  'wholesaler-key.issue': [
    ['llave de un mayorista', 'key of a wholesaler'],
    ['Con una llave se piden mercancías a crédito.', 'A key orders goods on credit.'],
  ],
  'payment-provider.create': [
    ['proveedor de pagos nuevo', 'new payment provider'],
    [
      'Quien tiene la llave de un proveedor registra pagos.',
      'Who has the key of a provider records payments.',
    ],
  ],
  'payment-provider.settings': [
    ['reglas de un proveedor de pagos', 'settings of a payment provider'],
    [
      'El cambio acepta pagos que hoy se rechazan.',
      'The change accepts payments that are refused today.',
    ],
  ],
  'provider-key.issue': [
    ['llave de un proveedor de pagos', 'key of a payment provider'],
    ['Con esta llave se registran pagos.', 'This key records payments.'],
  ],
  'provider-secret.issue': [
    ['secreto de firma de un proveedor de pagos', 'signing secret of a payment provider'],
    ['Con este secreto se firman pagos.', 'This secret signs payments.'],
  ],
  'ops-key.issue': [
    ['llave de operación', 'ops key'],
    ['Una llave de operación actúa sin persona.', 'An ops key acts without a person.'],
  ],
  'privacy.cancel': [
    ['cancelación de los datos de una persona', 'cancellation of a person’s data'],
    [
      'Los datos se bloquean y después se borran, sin vuelta atrás.',
      'The data are blocked and later erased, for good.',
    ],
  ],
  'privacy.access': [
    ['copia de los datos de una persona', 'copy of a person’s data'],
    [
      'Una copia tiene todo lo que se guarda de alguien.',
      'A copy has all that is kept of somebody.',
    ],
  ],
  'privacy.rectify': [
    ['corrección del celular de una persona', 'correction of a person’s phone'],
    ['El celular abre la cuenta de la tienda.', 'The phone opens the account of the store.'],
  ],
  'corner-store.phone-hold': [
    [
      'liberación de un celular que cambió la misma persona',
      'freeing a phone that the same person changed',
    ],
    [
      'Quien cambió el celular no lo libera sin otra persona.',
      'Who changed the phone does not free it without a second person.',
    ],
  ],
  'corner-store.resume': [
    ['fin de la pausa de una tienda', 'end of the pause of a store'],
    [
      'Quien pausó la tienda no levanta la pausa sin otra persona.',
      'Who paused the store does not lift the pause without a second person.',
    ],
  ],
  'staff.invite': [
    ['invitación de una persona', 'invitation of a person'],
    ['Quien entra puede aprobar lo de otros.', 'Who comes in may approve for others.'],
  ],
  'staff.role': [
    ['rol de una persona', 'role of a person'],
    ['Un rol que permite más lo decide otra persona.', 'A second person decides on more rights.'],
  ],
  'deposit.reverse': [
    ['reversa de un depósito', 'reversal of a deposit'],
    ['Una reversa vuelve a abrir deudas.', 'A reversal opens debts again.'],
  ],
  'deposit.assign': [
    ['asignación de un depósito', 'assignment of a deposit'],
    [
      'Un depósito de más de $10,000 lo asignan dos personas.',
      'A deposit above $10,000 is assigned by two people.',
    ],
  ],
  'deposit.unassign': [
    ['retiro de un depósito a su tienda', 'unassignment of a deposit'],
    [
      'Quitarle un depósito a una tienda vuelve a abrir sus deudas.',
      'Taking a deposit away from a store opens its debts again.',
    ],
  ],
  'payout.pay': [
    ['pago de saldo a favor', 'payout of a credit balance'],
    ['El dinero sale a la cuenta de la tienda.', 'The money leaves to the store’s bank account.'],
  ],
  'payout.return': [
    ['pago devuelto por el banco', 'payout that the bank returned'],
    [
      'La tienda recupera el saldo: confirma con el estado de cuenta del banco.',
      'The store gets its balance back: compare with the bank’s statement.',
    ],
  ],
  'receivable.write-off': [
    ['castigo de una deuda', 'write-off of a debt'],
    [
      'La deuda sale de la cartera y se sigue debiendo.',
      'The debt leaves the portfolio and stays owed.',
    ],
  ],
  'statement.pay': [
    ['pago de una liquidación', 'payment of a statement'],
    [
      'El dinero sale a la cuenta del mayorista.',
      'The money leaves to the wholesaler’s bank account.',
    ],
  ],
  'statement.return': [
    [
      'pago de una liquidación devuelto por el banco',
      'payment of a statement that the bank returned',
    ],
    [
      'La liquidación queda otra vez por pagar: confirma con el estado de cuenta del banco.',
      'The statement is to be paid again: compare with the bank’s statement.',
    ],
  ],
  'settlement.adjust': [
    ['ajuste a lo que se le paga a un mayorista', 'adjustment of what a wholesaler is owed'],
    ['Cambia lo que se le paga al mayorista.', 'It changes what the wholesaler is paid.'],
  ],
  'invoice-issuer.set': [
    ['quién factura por un mayorista', 'who issues the invoices of a wholesaler'],
    ['Sus facturas salen con este RFC.', 'Its invoices get this tax id.'],
  ],
  'invoice-issuer.remove': [
    ['fin de quién factura por un mayorista', 'end of who issues the invoices of a wholesaler'],
    [
      'Sin él no se emiten ni se cancelan sus facturas.',
      'Without it its invoices are neither issued nor cancelled.',
    ],
  ],
  'wholesaler-tax-profile.set': [
    ['datos fiscales de un mayorista', 'tax profile of a wholesaler'],
    [
      'Las facturas de la comisión salen a este nombre.',
      'The commission invoices are in this name.',
    ],
  ],
  'credit-note.give': [
    ['nota de crédito de un pedido', 'credit note of an order'],
    [
      'Una nota de más de $10,000, o que el mayorista no puede devolver de lo que falta pagarle, la decide otra persona.',
      'A note above $10,000, or that the wholesaler cannot give back from what it is still to be paid, is for a second person to decide.',
    ],
  ],
};

/** What a change request asks for, in words. A kind of a later release keeps its own name. */
export function kindName(kind: string): string {
  const [name] = wordsOf(kind);
  return name === undefined ? kind : say(...name);
}

/** Why a change waits for a second person, in a sentence; empty for a kind of a later release. */
export function kindReason(kind: string): string {
  const [, why] = wordsOf(kind);
  return why === undefined ? '' : say(...why);
}

function wordsOf(kind: string): Partial<(typeof KINDS)[ChangeKindName]> {
  return (KINDS as Partial<Record<string, (typeof KINDS)[ChangeKindName]>>)[kind] ?? [];
}

/** Why an approved change was not made. */
export function failureText(failure: string | null): string {
  if (failure === 'STALE' || failure === CHANGE_TARGET_CHANGED) {
    return say(
      'El registro cambió después de la solicitud, así que no se aplicó nada. Revisa los valores de hoy y pide el cambio otra vez.',
      'The record was changed after the request, so nothing was done. Check today’s values and ask again.',
    );
  }
  if (failure === 'REQUESTER_LOST_ACCESS') {
    return say(
      'Quien la pidió perdió el acceso o tiene menos permisos, así que no se aplicó nada.',
      'Who asked for it lost the access or has fewer rights, so nothing was done.',
    );
  }
  return `${say('No se aplicó.', 'It was not done.')} ${sentenceOf(failure ?? '')}`;
}

/** A field of a request's old and new values, in words. */
export const changeFieldName = naming({
  creditLimitCents: ['Línea', 'Limit'],
  interestRate: ['Tasa', 'Rate'],
  provider: ['Proveedor', 'Provider'],
  apiKey: ['Llave', 'Key'],
  webhookSecret: ['Secreto de avisos', 'Secret of webhooks'],
  receiptPaymentForm: ['Forma de pago de recibos', 'Payment form of receipts'],
  series: ['Serie', 'Series'],
  rfc: ['RFC', 'RFC'],
  legalName: ['Nombre o razón social', 'Legal name'],
  taxRegime: ['Clave del régimen fiscal', 'Key of the tax regime'],
  postalCode: ['Código postal del domicilio fiscal', 'Postcode of the tax address'],
  cfdiUse: ['Clave del uso de la factura', 'Key of the use (c_UsoCFDI)'],
  timeZone: ['Zona horaria', 'Time zone'],
  scopes: ['Permisos', 'Scopes'],
  scope: ['Rol', 'Role'],
  role: ['Rol', 'Role'],
  expiresAt: ['Caduca', 'Expires'],
  name: ['Nombre', 'Name'],
  email: ['Correo', 'E-mail'],
  cornerStoreId: ['Tienda', 'Store'],
  userId: ['Cuenta', 'Account'],
  status: ['Estado', 'Status'],
  valorCents: ['Monto', 'Amount'],
  amountCents: ['Monto', 'Amount'],
  bankReference: ['Referencia del banco', 'Bank reference'],
  paidOn: ['Pagada el', 'Paid on'],
  number: ['Número', 'Number'],
  wholesalerId: ['Mayorista', 'Wholesaler'],
  transactionId: ['Pedido', 'Order'],
  kind: ['Tipo', 'Kind'],
  reason: ['Motivo', 'Reason'],
  reference: ['Referencia', 'Reference'],
  passkeys: ['Llaves de acceso', 'Passkeys'],
  disabledAt: ['Sin acceso desde', 'No access since'],
  approvedLimitCents: ['Última línea aprobada por dos', 'Last limit approved by two'],
  raisedAloneCents: ['Subida por una sola persona desde entonces', 'Raised by one person since'],
  rows: ['Filas', 'Rows'],
  created: ['Tiendas nuevas', 'New stores'],
  linked: ['Tiendas que ya existen', 'Stores that exist'],
  sumOfLimitsCents: ['Suma de las líneas', 'Sum of the limits'],
  highestLimitCents: ['Línea más alta', 'Highest limit'],
  lowestRate: ['Tasa más baja', 'Lowest rate'],
  highestRate: ['Tasa más alta', 'Highest rate'],
  digest: ['Huella de los datos', 'Digest of the data'],
  phoneNumber: ['Celular nuevo', 'New phone'],
  // The settings of wholesalers and payment providers.
  deliveryOverageRate: ['Entrega por encima del pedido', 'Delivery above the order'],
  confirmationRequired: ['La clave es obligatoria', 'The code is required'],
  deliveryWordEnabled: ['Palabra de entrega', 'Delivery word'],
  deliveryWordRequired: ['La palabra es obligatoria', 'The word is required'],
  batchEnabled: ['Pedidos por lote', 'Batches'],
  batchItemsPerDay: ['Pedidos por lote al día', 'Batch items a day'],
  batchCentsPerDay: ['Monto por lote al día', 'Batch amount a day'],
  holdUnprovenDays: [
    'Días que se retiene una entrega sin palabra',
    'Days an unproven delivery is held',
  ],
  phoneChangeHold: ['Espera tras cambiar el teléfono', 'Hold after a phone change'],
  commissionRate: ['Comisión', 'Commission'],
  minimumTransactionCents: ['Pedido mínimo', 'Smallest order'],
  paymentTermDays: ['Plazo en días', 'Term in days'],
  allowedAddresses: ['Direcciones permitidas', 'Allowed addresses'],
  signatureRequired: ['La firma es obligatoria', 'The signature is required'],
});

/** A value of a request as a person reads it: amounts are in cents there. */
export function changeValue(field: string, value: unknown): string {
  if (value === null || value === undefined) {
    return field === 'scopes' ? say('todos', 'all') : '—';
  }
  if ((field === 'batchItemsPerDay' || field === 'batchCentsPerDay') && value === 0) {
    return say('sin límite', 'no limit');
  }
  if (typeof value === 'number' && field.endsWith('Cents')) return pesosOf(value / 100);
  if (field.endsWith('Rate')) return percentOf(Number(value));
  if (field === 'role' || field === 'scope') return roleName(textOf(value));
  // Of a credit note; of other kinds a text, which stays as it is.
  if (field === 'reason') return creditReasonName(value);
  if (field === 'kind') return lineKindName(textOf(value));
  if (field === 'status') return anyStateName(value);
  if (field === 'phoneNumber') return phoneOf(textOf(value));
  if (typeof value === 'boolean') return value ? say('sí', 'yes') : 'no';
  if (field === 'allowedAddresses' && Array.isArray(value) && value.length === 0) {
    return say('cualquiera', 'any');
  }
  if (field === 'paidOn') return dayOf(textOf(value));
  if (field.endsWith('At')) return timeOf(value);
  return Array.isArray(value) ? value.join(', ') : textOf(value);
}

/**
 * Old and new values of a change, such as Línea: $5,000.00 → $20,000.00; the old one where there was one. Of a
 * role, the values are the role itself. A store that is paused waits for validation to others only.
 */
export function changeLines(before: unknown, after: unknown, action = ''): string[] {
  const [was, is] = [before, after].map(
    (values) => (typeof values === 'string' ? { role: values } : { ...Object(values) }) as Values,
  ) as [Values, Values];
  if (action === 'corner-store.paused' && 'status' in is) is['status'] = 'paused';
  if (action === 'corner-store.resumed' && 'status' in was) was['status'] = 'paused';
  const told = Object.entries(is).filter(([, value]) => !isId(value));
  return told.map(([field, value]) => {
    const old = field in was ? `${changeValue(field, was[field])} → ` : '';
    return `${changeFieldName(field)}: ${old}${changeValue(field, value)}`;
  });
}

type Values = Record<string, unknown>;
