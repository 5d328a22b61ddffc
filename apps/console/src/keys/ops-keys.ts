import type { Html } from '@fiado/chassis/html';
import type { Visit } from '../frame/visit';
import { dateField, foldedForm, reasonField, roleField } from '../frame/form';
import { list, type Listing } from '../frame/lists';
import { change, type Route } from '../frame/serve';
import { roleName, say } from '../frame/words';
import { NEW_KEY, revokeButton, secretForm, timesOfKey } from './keys-of-party';

const opsKeys = list('/llaves', opsKeysOf);

export const opsKeyRoutes: Route[] = [
  opsKeys,
  secretForm(opsKeys, '', NEW_KEY, 'issueOpsKey'),
  change(opsKeys, ':opsKeyId/revocar', 'revocada', 'revokeOpsKey'),
];

/** Keys with which machines of the lender work, newest first. */
function opsKeysOf(visit: Visit): Listing<'listOpsKeys'> {
  return {
    of: 'listOpsKeys',
    title: say('Llaves de operación', 'Ops keys'),
    lead: say(
      'Para máquinas. Las personas entran con su llave de acceso.',
      'For machines. People sign in with a passkey.',
    ),
    before: () => issueForm(visit),
    empty: say('Todavía no hay llaves con nombre.', 'There are no named keys yet.'),
    columns: [
      [say('Nombre', 'Name'), 'name', 'name'],
      [say('Rol', 'Role'), ({ scope }) => roleName(scope)],
      ...timesOfKey(),
      [
        say('Acción', 'Action'),
        ({ opsKeyId, revokedAt }) => revokeButton(visit, `/llaves/${opsKeyId}`, revokedAt),
      ],
    ],
  };
}

function issueForm(visit: Visit): Html {
  return foldedForm(visit, {
    summary: say('Nueva llave', 'New key'),
    hint: say(
      'Dura un año como máximo, y la decide otra persona.',
      'It lasts for a year at most, and a second person decides.',
    ),
    action: '/llaves',
    button: say('Pedir la llave', 'Ask for the key'),
    fields: [
      { name: 'name', label: say('Quién la usará', 'Who will use it') },
      { ...roleField('scope'), value: 'viewer' },
      dateField('expiresAt', say('Caduca el día', 'Expires on')),
      reasonField(),
    ],
  });
}
