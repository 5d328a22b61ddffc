import { stateIn, type States } from '../frame/filters';
import { list, type Listing } from '../frame/lists';
import { change, type Route } from '../frame/serve';
import type { Visit } from '../frame/visit';
import { say, statesOf } from '../frame/words';
import { secretForm } from '../keys/keys-of-party';
import { approvalHref, requestLine, type Subjects, subjectsOf } from './subjects';
import { approval, collectedOf, personOf } from './approval';

export const approvalRoutes: Route[] = [
  list('/aprobaciones', approvalsOf),
  approval,
  change(approval, 'aprobar', 'decidido', 'approveChangeRequest'),
  change(approval, 'rechazar', 'decidido', 'rejectChangeRequest'),
  secretForm(approval, 'recoger', collectedOf, 'collectChangeRequest'),
];

/** Changes that wait for a second person, or those of another state; newest first. */
function approvalsOf(visit: Visit): Listing<'listChangeRequests', Subjects> {
  const states: States = {
    kind: 'change',
    all: say('Todas', 'All'),
    shown: [...statesOf('change'), 'todas'],
  };
  return {
    of: 'listChangeRequests',
    title: say('Aprobaciones', 'Approvals'),
    states,
    empty:
      stateIn(visit, states) === 'pending'
        ? say('Nada espera aprobación.', 'Nothing waits for approval.')
        : say('Ninguna solicitud así.', 'No such request.'),
    names: (requests) => subjectsOf(visit, requests),
    href: approvalHref,
    columns: [
      [say('Cambio', 'Change'), requestLine, 'name'],
      [
        say('Quién pide', 'Asked by'),
        ({ requestedBy, requestedByName }) => personOf(visit, requestedBy, requestedByName),
      ],
      [say('Por qué', 'Why'), 'reason'],
      [say('Pedido', 'Asked'), 'requestedAt', 'when'],
      [say('Caduca', 'Expires'), 'expiresAt', 'time'],
      [say('Estado', 'Status'), 'status', 'change'],
    ],
  };
}
