import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { SCOPES_OF_KIND } from '@fiado/contracts/caller';
import type { ItemOf } from '@fiado/ops-client/operations';
import { endOfDayIn, fieldOf, mayDo, type Page, type Visit } from '../frame/visit';
import { buttonForm, foldedForm } from '../frame/form';
import { copyable, when } from '../frame/formats';
import type { Columns } from '../frame/lists';

/** A wholesaler or a payment provider on its page, which is `path`. */
interface Party {
  path: string;
  kind: 'wholesaler' | 'provider';
}

type Key = ItemOf<'listWholesalerKeys', 'apiKeys'>;

/** The columns of a party's keys, which an admin may revoke. */
export function keyColumns(visit: Visit, { path }: Party): Columns<Key> {
  const { say } = visit;
  return [
    [say('Llave', 'Key'), ({ apiKeyId }) => copyable(apiKeyId), 'name'],
    [say('Permisos', 'Scopes'), ({ scopes }) => scopes?.join(', ') ?? say('todos', 'all')],
    ...timesOfKey<Key>(visit),
    mayDo(visit.viewer, 'admin') && [
      say('Acción', 'Action'),
      ({ apiKeyId, revokedAt }) => revokeButton(visit, `${path}/llaves/${apiKeyId}`, revokedAt),
    ],
  ];
}

/** When a key was made, used, and ends. */
export function timesOfKey<Row extends KeyTimes>({ say }: Visit): Columns<Row> {
  return [
    [say('Creada', 'Created'), ({ createdAt }) => when(createdAt), 'when'],
    [say('Última vez', 'Last used'), ({ lastUsedAt }) => when(lastUsedAt)],
    [say('Caduca', 'Expires'), ({ expiresAt }) => when(expiresAt)],
    [say('Revocada', 'Revoked'), ({ revokedAt }) => when(revokedAt)],
  ];
}

type KeyTimes = Pick<Key, 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'revokedAt'>;

/** @param path of the key */
export function revokeButton({ viewer, say }: Visit, path: string, revokedAt: string | null): Html {
  if (revokedAt !== null) return NOTHING;
  return buttonForm(viewer, { action: `${path}/revocar`, label: say('Revocar', 'Revoke') });
}

/** A form that asks for one more key of a party. */
export function issueKeyForm(visit: Visit, { path, kind }: Party): Html {
  const { say } = visit;
  return foldedForm(visit, {
    summary: say('Nueva llave', 'New key'),
    action: `${path}/llaves`,
    button: say('Pedir la llave', 'Ask for the key'),
    fields: [
      {
        name: 'scopes',
        label: say('Permisos', 'Scopes'),
        value: '',
        required: false,
        options: [
          ['', say('todos', 'all')],
          ...SCOPES_OF_KIND[kind].map((scope) => [scope, scope] as const),
        ],
      },
      {
        name: 'expiresAt',
        label: say('Caduca el día', 'Expires on'),
        hint: say('Vacía, no caduca.', 'Empty, it does not expire.'),
        type: 'date',
        required: false,
      },
    ],
  });
}

/** What the form of a new key asks for. */
export function askedKey(visit: Visit): { scopes?: string[]; expiresAt?: string } {
  const scope = fieldOf(visit, 'scopes');
  const expiresAt = endOfDayIn(visit, 'expiresAt');
  return {
    ...(scope !== '' && { scopes: [scope] }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

/** A secret, which is in this answer only. */
export function secretPage(
  { say }: Visit,
  {
    title,
    secrets,
    back,
    notice = say('Cópiala ahora: no se vuelve a mostrar.', 'Copy it now: it is not shown again.'),
  }: { title: string; secrets: string[]; back: string; notice?: string },
): Page {
  return {
    title,
    content: html`<p class="notice">${notice}</p>
      ${secrets.map((secret) => html`<p><code>${secret}</code></p>`)}
      <p><a href="${back}">${say('Volver', 'Back')}</a></p>`,
  };
}
