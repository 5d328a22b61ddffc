import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import { SCOPES_OF_KIND } from '@fiado/contracts/caller';
import type { ItemOf } from '@fiado/ops-client/operations';
import { secretsOf } from '../frame/body';
import { type Called, callOperation, formOf, type PageRoute, type Route } from '../frame/serve';
import { mayDo, type Visit } from '../frame/visit';
import { buttonForm, dateField, foldedForm, reasonField } from '../frame/form';
import { copyable, link } from '../frame/formats';
import { listPage } from '../frame/lists';
import type { Columns } from '../frame/parts';
import { say } from '../frame/words';

/** A wholesaler or a payment provider, whose page is `path`. */
interface Party {
  id: string;
  path: string;
  kind: 'wholesaler' | 'provider';
}

type Key = ItemOf<'listWholesalerKeys', 'apiKeys'>;

/** The keys of a party, which an admin may revoke. */
export async function keysPart({ id, path, kind }: Party, visit: Visit): Promise<Html> {
  const { content } = await listPage(visit, {
    of: kind === 'wholesaler' ? 'listWholesalerKeys' : 'listProviderKeys',
    ids: [id],
    title: say('Llaves', 'Keys'),
    empty: say('No tiene llaves.', 'It has no keys.'),
    columns: [
      [say('Llave', 'Key'), ({ apiKeyId }) => copyable(apiKeyId), 'name'],
      [say('Permisos', 'Scopes'), ({ scopes }) => scopes?.join(', ') ?? say('todos', 'all')],
      ...timesOfKey(),
      mayDo(visit.viewer, 'admin') && [
        say('Acción', 'Action'),
        ({ apiKeyId, revokedAt }) => revokeButton(visit, `${path}/llaves/${apiKeyId}`, revokedAt),
      ],
    ],
  });
  return content;
}

/** When a key was made, used, and ends. */
export function timesOfKey(): Columns<KeyTimes> {
  return [
    [say('Creada', 'Created'), 'createdAt', 'when'],
    [say('Última vez', 'Last used'), 'lastUsedAt', 'time'],
    [say('Caduca', 'Expires'), 'expiresAt', 'time'],
    [say('Revocada', 'Revoked'), 'revokedAt', 'time'],
  ];
}

type KeyTimes = Pick<Key, 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'revokedAt'>;

/** @param path of the key */
export function revokeButton({ viewer }: Visit, path: string, revokedAt: string | null): HtmlValue {
  if (revokedAt !== null) return undefined;
  return buttonForm(viewer, `${path}/revocar`, say('Revocar', 'Revoke'));
}

/** A form that asks for one more key of a party. */
export function issueKeyForm({ path, kind }: Party, visit: Visit): Html {
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
        ...dateField('expiresAt', say('Caduca el día', 'Expires on')),
        hint: say('Vacía, no caduca.', 'Empty, it does not expire.'),
        required: false,
      },
      reasonField(),
    ],
  });
}

type Pair = readonly [es: string, en: string];

export interface Secrets {
  title: Pair;
  notice?: Pair;
  /** Where the person goes on; without it to the page of the form. */
  pageOf?: (answer: Record<string, string | null>) => string;
}

/** A form of a page whose answer has secrets, which no other page shows. */
export function secretForm(
  page: PageRoute,
  below: string,
  secretsOfVisit: Secrets | ((visit: Visit) => Promise<Secrets>),
  operation: Called,
): Route {
  return formOf(page, below, async (asked, here) => {
    const {
      title,
      notice = COPY_NOW,
      pageOf,
    } = typeof secretsOfVisit === 'function' ? await secretsOfVisit(asked.visit) : secretsOfVisit;
    const answer = (await callOperation(asked, operation)) as Record<string, string | null>;
    const secrets = secretsOf(operation).flatMap((name) => answer[name] ?? []);
    return {
      title: say(...title),
      content: html`<p class="notice">${say(...notice)}</p>
        ${secrets.map((secret) => html`<p><code>${secret}</code></p>`)}
        <p>${link(pageOf?.(answer) ?? here, say('Volver', 'Back'))}</p>`,
    };
  });
}

const COPY_NOW = [
  'Cópiala ahora: no se vuelve a mostrar.',
  'Copy it now: it is not shown again.',
] as const;

export const NEW_KEY = { title: ['Llave nueva', 'New key'] } as const;
