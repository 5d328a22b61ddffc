import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { SCOPES_OF_KIND } from '@fiado/contracts/caller';
import type { AnswerOf, ItemOf } from '@fiado/ops-client/operations';
import { buttonForm, foldedForm } from '../frame/form';
import {
  amountIn,
  copyable,
  percentOf,
  percentText,
  pesosOf,
  rateIn,
  textOf,
  when,
} from '../frame/formats';
import { card, factList, listPage } from '../frame/lists';
import { act, show, type Route } from '../frame/serve';
import { fieldOf, idOf, mayDo, type Page, type Redirect, type Visit } from '../frame/visit';

export const wholesalerRoutes: Route[] = [
  show('/mayoristas', showWholesalers),
  show('/mayoristas/:wholesalerId', showWholesaler),
  act('/mayoristas/:wholesalerId', changeSettings, showWholesaler),
  act('/mayoristas/:wholesalerId/llaves', issueKey, showWholesaler),
  act('/mayoristas/:wholesalerId/llaves/:apiKeyId/revocar', revokeKey, showWholesaler),
];

/** Of the lender's time zone, which has no summer time. */
const OFFSET = '-06:00';

/** Wholesalers and their settings. */
function showWholesalers(visit: Visit): Promise<Page> {
  const { say } = visit;
  return listPage(visit, {
    title: say('Mayoristas', 'Wholesalers'),
    list: (cursor) => visit.viewer.ops.wholesalers.list({ cursor }),
    rowsOf: ({ wholesalers }) => wholesalers,
    empty: say('Todavía no hay mayoristas.', 'There are no wholesalers yet.'),
    columns: [
      [
        say('Nombre', 'Name'),
        ({ wholesalerId, name }) => html`<a href="/mayoristas/${wholesalerId}">${name}</a>`,
        'name',
      ],
      [say('Comisión', 'Commission'), ({ commissionRate }) => percentOf(commissionRate)],
      [
        say('Plazo', 'Term'),
        ({ paymentTermDays }) => say(`${paymentTermDays} días`, `${paymentTermDays} days`),
      ],
      [
        say('Pedido mínimo', 'Smallest order'),
        (wholesaler) => pesosOf(wholesaler.minimumTransactionAmount),
        'money',
      ],
    ],
  });
}

type Wholesaler = AnswerOf<'getWholesaler'>;

type Key = ItemOf<'listWholesalerKeys', 'apiKeys'>;

/** A wholesaler with its settings and its keys. */
async function showWholesaler(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const wholesalerId = idOf(visit, 'wholesalerId');
  const wholesaler = await viewer.ops.wholesalers.get(wholesalerId);
  const isAdmin = mayDo(viewer, 'admin');
  const page = await listPage(visit, {
    title: say('Llaves', 'Keys'),
    list: (cursor) => viewer.ops.wholesalers.listKeys(wholesalerId, { cursor }),
    rowsOf: ({ apiKeys }) => apiKeys,
    before: html`${settings(visit, wholesaler)}
    ${isAdmin ? html`${settingsForm(visit, wholesaler)} ${issueForm(visit, wholesaler)}` : NOTHING}`,
    empty: say('No tiene llaves.', 'It has no keys.'),
    columns: [
      [say('Llave', 'Key'), ({ apiKeyId }) => html`<code>…${apiKeyId.slice(-6)}</code>`, 'name'],
      [say('Permisos', 'Scopes'), ({ scopes }) => scopes?.join(', ') ?? say('todos', 'all')],
      [say('Creada', 'Created'), ({ createdAt }) => when(createdAt), 'when'],
      [say('Última vez', 'Last used'), ({ lastUsedAt }) => when(lastUsedAt)],
      [say('Caduca', 'Expires'), ({ expiresAt }) => when(expiresAt)],
      [say('Revocada', 'Revoked'), ({ revokedAt }) => when(revokedAt)],
      isAdmin && [say('Acción', 'Action'), (key) => revokeForm(visit, wholesaler, key)],
    ],
  });
  return {
    ...page,
    path: ['/mayoristas', say('Mayoristas', 'Wholesalers')],
    title: wholesaler.name,
    actions: html`<a class="button second" href="/tiendas?mayorista=${wholesaler.wholesalerId}"
        >${say('Ver tiendas', 'See stores')}</a
      >
      <a class="button second" href="/pedidos?mayorista=${wholesaler.wholesalerId}"
        >${say('Ver pedidos', 'See orders')}</a
      >`,
  };
}

function settings({ say }: Visit, wholesaler: Wholesaler): Html {
  const yesNo = (value: boolean): string => (value ? say('sí', 'yes') : 'no');
  return card(
    say('Reglas', 'Settings'),
    factList([
      [say('Pedido mínimo', 'Smallest order'), pesosOf(wholesaler.minimumTransactionAmount)],
      [say('Comisión', 'Commission'), percentOf(wholesaler.commissionRate)],
      [say('Plazo en días', 'Term in days'), textOf(wholesaler.paymentTermDays)],
      [say('Palabra de entrega', 'Delivery word'), yesNo(wholesaler.deliveryWordEnabled)],
      [
        say('La clave es obligatoria', 'The code is required'),
        yesNo(wholesaler.confirmationRequired),
      ],
      [say('Pedidos por lote', 'Batches'), yesNo(wholesaler.batchEnabled)],
      [say('Id del mayorista', 'Id of the wholesaler'), copyable(wholesaler.wholesalerId)],
    ]),
  );
}

/** The settings that people change; the API says which of them need a second person. */
function settingsForm(visit: Visit, wholesaler: Wholesaler): Html {
  const { say } = visit;
  const yesNo = [
    ['true', say('sí', 'yes')],
    ['false', 'no'],
  ] as const;
  return foldedForm(visit, {
    summary: say('Cambiar reglas', 'Change the settings'),
    hint: say(
      'Una regla menos estricta la decide otra persona.',
      'A setting that is less strict is for a second person to decide.',
    ),
    action: `/mayoristas/${wholesaler.wholesalerId}`,
    button: say('Guardar', 'Save'),
    fields: [
      {
        name: 'minimumTransactionAmount',
        label: say('Pedido mínimo en pesos', 'Smallest order in pesos'),
        value: String(wholesaler.minimumTransactionAmount),
        inputmode: 'decimal',
      },
      {
        name: 'commissionRate',
        label: say('Comisión en %', 'Commission in %'),
        value: percentText(wholesaler.commissionRate),
        inputmode: 'decimal',
      },
      {
        name: 'paymentTermDays',
        label: say('Plazo en días', 'Term in days'),
        value: String(wholesaler.paymentTermDays),
        inputmode: 'decimal',
      },
      {
        name: 'deliveryWordEnabled',
        label: say('Palabra de entrega', 'Delivery word'),
        value: String(wholesaler.deliveryWordEnabled),
        options: yesNo,
      },
      {
        name: 'confirmationRequired',
        label: say('La clave es obligatoria', 'The code is required'),
        value: String(wholesaler.confirmationRequired),
        options: yesNo,
      },
      {
        name: 'batchEnabled',
        label: say('Pedidos por lote', 'Batches'),
        value: String(wholesaler.batchEnabled),
        options: yesNo,
      },
    ],
  });
}

/** Sends what differs from today's settings only, so that a change asks for no more than was meant. */
async function changeSettings(visit: Visit): Promise<Redirect> {
  const wholesalerId = idOf(visit, 'wholesalerId');
  const today: Record<string, unknown> = {
    ...(await visit.viewer.ops.wholesalers.get(wholesalerId)),
  };
  const typed = {
    minimumTransactionAmount: amountIn(fieldOf(visit, 'minimumTransactionAmount')),
    commissionRate: rateIn(fieldOf(visit, 'commissionRate')),
    paymentTermDays: amountIn(fieldOf(visit, 'paymentTermDays')),
    deliveryWordEnabled: fieldOf(visit, 'deliveryWordEnabled') === 'true',
    confirmationRequired: fieldOf(visit, 'confirmationRequired') === 'true',
    batchEnabled: fieldOf(visit, 'batchEnabled') === 'true',
  };
  const changed = Object.entries(typed).filter(([name, value]) => value !== today[name]);
  if (changed.length > 0) {
    await visit.viewer.ops.wholesalers.update(wholesalerId, Object.fromEntries(changed));
  }
  return { redirect: `/mayoristas/${wholesalerId}`, done: 'guardado' };
}

function issueForm(visit: Visit, { wholesalerId }: Wholesaler): Html {
  const { say } = visit;
  return foldedForm(visit, {
    summary: say('Nueva llave', 'New key'),
    action: `/mayoristas/${wholesalerId}/llaves`,
    button: say('Pedir la llave', 'Ask for the key'),
    fields: [
      {
        name: 'scopes',
        label: say('Permisos', 'Scopes'),
        value: '',
        required: false,
        options: [
          ['', say('todos', 'all')],
          ...SCOPES_OF_KIND.wholesaler.map((scope) => [scope, scope] as const),
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

function revokeForm({ viewer, say }: Visit, { wholesalerId }: Wholesaler, key: Key): Html {
  if (key.revokedAt !== null) return NOTHING;
  return buttonForm(viewer, {
    action: `/mayoristas/${wholesalerId}/llaves/${key.apiKeyId}/revocar`,
    label: say('Revocar', 'Revoke'),
  });
}

/** Where one person is enough the key is shown this once. Else its requester collects it later. */
async function issueKey(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const wholesalerId = idOf(visit, 'wholesalerId');
  const scope = fieldOf(visit, 'scopes');
  const day = fieldOf(visit, 'expiresAt');
  const body = {
    ...(scope === '' ? {} : { scopes: [scope] }),
    ...(day === '' ? {} : { expiresAt: `${day}T23:59:59${OFFSET}` }),
  };
  const { apiKey } = await viewer.ops.wholesalers.issueKey(wholesalerId, body);
  return {
    title: say('Llave nueva', 'New key'),
    content: html`<p class="notice">
        ${say('Cópiala ahora: no se vuelve a mostrar.', 'Copy it now: it is not shown again.')}
      </p>
      <p><code>${apiKey}</code></p>
      <p><a href="/mayoristas/${wholesalerId}">${say('Volver', 'Back')}</a></p>`,
  };
}

async function revokeKey(visit: Visit): Promise<Redirect> {
  await visit.viewer.ops.apiKeys.revoke(idOf(visit, 'apiKeyId'));
  return {
    redirect: `/mayoristas/${encodeURIComponent(idOf(visit, 'wholesalerId'))}`,
    done: 'revocada',
  };
}
