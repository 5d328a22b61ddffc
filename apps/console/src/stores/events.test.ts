import { AUDIT_ACTIONS } from '@fiado/contracts/audit-actions';
import { eventLines, eventName } from './events';

const ID = '01a2285c-8d31-7000-a665-0169862b6d7b';

/** Actions whose object is a corner store or its owner: the timeline of the store has them. */
const OF_A_STORE =
  /^(corner-store|onboarding|opposition|person|phone|privacy-package|privacy-request|user)\./;

it('each action of the audit log that concerns a store has a name in its timeline', () => {
  const ofStores = AUDIT_ACTIONS.filter((action) => OF_A_STORE.test(action));
  expect(ofStores).toContain('corner-store.blocked');
  expect(ofStores.filter((action) => eventName(action) === 'Otro evento')).toEqual([]);
});

it('the details of an event are shown in words, and not as values of the API', () => {
  const shown = [
    { type: 'message.requested', details: { status: 'expired', reason: 'EXPIRED' } },
    { type: 'verification.started', details: { status: 'in-manual-validation' } },
    {
      type: 'request.refused',
      details: { operation: 'createTransaction', errorCode: 'INSUFFICIENT_CREDIT', requestId: ID },
    },
    {
      type: 'corner-store.changed',
      details: { before: { status: 'applied' }, after: { status: 'received' } },
    },
    {
      type: 'staff.role-changed',
      details: { before: 'operator', after: 'approver', approvedBy: ID, changeRequestId: ID },
    },
    { type: 'change.approved', details: { kind: 'corner-store.terms', targetId: ID } },
    { type: 'payment.applied', details: { depositId: ID, idFactura: '123456789012' } },
    { type: 'staff.signed-in', details: { method: 'passkey', sessionId: ID, again: false } },
    {
      type: 'export.requested',
      details: { kind: 'debts', from: null, to: '2020-07-01T17:33:43.145Z' },
    },
    { type: 'change.failed', details: { failure: 'STALE' } },
    { type: 'staff.invited', details: { role: 'operator' } },
  ].flatMap((event) => eventLines({ subjectId: null, ...event }, true));
  expect(shown).toEqual([
    'estado: Caducado',
    'motivo: caducó antes de salir',
    'estado: Por validar',
    'operación: pedir a crédito',
    'por qué: El monto es mayor que la línea disponible.',
    'Estado: Aplicado → Recibido',
    'Rol: Operación → Aprobación',
    'tipo: condiciones de una tienda',
    expect.objectContaining({ text: expect.stringContaining(`/depositos/${ID}`) }),
    'factura: 1234 5678 9012',
    'con: su llave de acceso',
    'otra vez: no',
    'tipo: Adeudos',
    'hasta: 1 jul 2020, 12:33 p.m.',
    'por qué: El registro cambió después de la solicitud, así que no se aplicó nada. Revisa los valores de hoy y pide el cambio otra vez.',
    'Rol: Operación',
  ]);
});
