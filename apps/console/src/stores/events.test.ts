import { AUDIT_ACTIONS } from '@fiado/contracts/audit-actions';
import { eventDetails, eventName } from './events';

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
    { type: 'request.refused', details: { operation: 'createTransaction' } },
    {
      type: 'corner-store.changed',
      details: { before: { status: 'applied' }, after: { status: 'received' } },
    },
  ].map((event) =>
    eventDetails({ subjectId: null, ...event }).text.replaceAll(/<[^>]+>|\s+/g, ' '),
  );
  expect(shown.join(' ').replaceAll(/\s+/g, ' ')).toBe(
    ' estado: Caducado motivo: caducó antes de salir estado: Por validar operación: pedir a crédito Estado: Aplicado → Recibido ',
  );
});
