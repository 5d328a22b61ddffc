import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { SCOPES_OF_KIND } from '@fiado/contracts/caller';
import type { AnswerOf, ItemOf } from '@fiado/ops-client/operations';
import { buttonForm, foldedForm } from '../frame/form';
import { percentOf, pesosOf, textOf, timeOf } from '../frame/formats';
import { factList, listPage } from '../frame/lists';
import { act, show, type Route } from '../frame/serve';
import { fieldOf, idOf, mayDo, type Page, type Redirect, type Visit } from '../frame/visit';

export const wholesalerRoutes: Route[] = [
  show('/mayoristas', showWholesalers),
  show('/mayoristas/:wholesalerId', showWholesaler),
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
      ],
      [say('Mínimo', 'Minimum'), (wholesaler) => pesosOf(wholesaler.minimumTransactionAmount)],
      [say('Comisión', 'Commission'), ({ commissionRate }) => percentOf(commissionRate)],
      [say('Plazo en días', 'Term in days'), ({ paymentTermDays }) => textOf(paymentTermDays)],
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
  return listPage(visit, {
    title: wholesaler.name,
    list: (cursor) => viewer.ops.wholesalers.listKeys(wholesalerId, { cursor }),
    rowsOf: ({ apiKeys }) => apiKeys,
    before: html`${settings(visit, wholesaler)} ${isAdmin ? issueForm(visit, wholesaler) : NOTHING}
      <h2>${say('Llaves', 'Keys')}</h2>`,
    empty: say('No tiene llaves.', 'It has no keys.'),
    columns: [
      ['Id', ({ apiKeyId }) => apiKeyId],
      [say('Permisos', 'Scopes'), ({ scopes }) => scopes?.join(', ') ?? say('todos', 'all')],
      [say('Creada', 'Created'), ({ createdAt }) => timeOf(createdAt)],
      [say('Última vez', 'Last used'), ({ lastUsedAt }) => timeOf(lastUsedAt)],
      [say('Vence', 'Expires'), ({ expiresAt }) => timeOf(expiresAt)],
      [say('Revocada', 'Revoked'), ({ revokedAt }) => timeOf(revokedAt)],
      isAdmin && [say('Acción', 'Action'), (key) => revokeForm(visit, wholesaler, key)],
    ],
  });
}

function settings({ say }: Visit, wholesaler: Wholesaler): Html {
  const yesNo = (value: boolean): string => (value ? say('sí', 'yes') : 'no');
  return factList([
    [say('Pedido mínimo', 'Smallest order'), pesosOf(wholesaler.minimumTransactionAmount)],
    [say('Comisión', 'Commission'), percentOf(wholesaler.commissionRate)],
    [say('Plazo en días', 'Term in days'), textOf(wholesaler.paymentTermDays)],
    [say('Palabra de entrega', 'Delivery word'), yesNo(wholesaler.deliveryWordEnabled)],
    [
      say('El código es obligatorio', 'The code is required'),
      yesNo(wholesaler.confirmationRequired),
    ],
    [say('Pedidos por lote', 'Batches'), yesNo(wholesaler.batchEnabled)],
    ['Id', wholesaler.wholesalerId],
  ]);
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
        label: say('Vence el día', 'Expires on'),
        hint: say('Vacía, no vence.', 'Empty, it does not expire.'),
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
  return { redirect: `/mayoristas/${encodeURIComponent(idOf(visit, 'wholesalerId'))}` };
}
