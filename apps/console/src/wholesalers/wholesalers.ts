import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { historyPart } from '../audit/history';
import { foldedForm, reasonField, reasonIn } from '../frame/form';
import {
  amountIn,
  copyable,
  percentOf,
  percentText,
  pesosOf,
  rateIn,
  textOf,
} from '../frame/formats';
import { card, factList, listPage } from '../frame/lists';
import { act, change, show, type Route } from '../frame/serve';
import { fieldOf, idOf, mayDo, type Page, type Visit } from '../frame/visit';
import { askedKey, issueKeyForm, keyColumns, secretPage } from '../keys/keys-of-party';

const wholesalerPage = show('/mayoristas/:wholesalerId', showWholesaler);

export const wholesalerRoutes: Route[] = [
  show('/mayoristas', showWholesalers),
  act('/mayoristas', createWholesaler, showWholesalers),
  wholesalerPage,
  change(wholesalerPage, '', 'guardado', ({ visit, ids }) =>
    changeSettings(visit, ids.wholesalerId),
  ),
  act('/mayoristas/:wholesalerId/llaves', issueKey, showWholesaler),
  change(wholesalerPage, 'llaves/:apiKeyId/revocar', 'revocada', ({ ops, ids }) =>
    ops.apiKeys.revoke(ids.apiKeyId),
  ),
];

/** Wholesalers and their settings. */
function showWholesalers(visit: Visit): Promise<Page> {
  const { say } = visit;
  return listPage(visit, {
    title: say('Mayoristas', 'Wholesalers'),
    list: ({ cursor }) => visit.viewer.ops.wholesalers.list({ cursor }),
    rowsOf: ({ wholesalers }) => wholesalers,
    before: mayDo(visit.viewer, 'admin') ? createForm(visit) : NOTHING,
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

function createForm(visit: Visit): Html {
  const { say } = visit;
  const hint = say('Vacío: lo usual.', 'Empty: the usual one.');
  const optional = { required: false, inputmode: 'decimal', hint } as const;
  return foldedForm(visit, {
    summary: say('Nuevo mayorista', 'New wholesaler'),
    hint: say(
      'Se crea con su primera llave. Una regla menos estricta que lo usual la decide otra persona.',
      'It is created with its first key. A setting that is less strict than usual is for a second person to decide.',
    ),
    action: '/mayoristas',
    button: say('Crear el mayorista', 'Create the wholesaler'),
    fields: [
      { name: 'name', label: say('Nombre', 'Name') },
      {
        name: 'minimumTransactionAmount',
        label: say('Pedido mínimo en pesos', 'Smallest order in pesos'),
        ...optional,
      },
      { name: 'commissionRate', label: say('Comisión en %', 'Commission in %'), ...optional },
      { name: 'paymentTermDays', label: say('Plazo en días', 'Term in days'), ...optional },
    ],
  });
}

async function createWholesaler(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const given = {
    minimumTransactionAmount: amountIn(fieldOf(visit, 'minimumTransactionAmount')),
    commissionRate: rateIn(fieldOf(visit, 'commissionRate')),
    paymentTermDays: amountIn(fieldOf(visit, 'paymentTermDays')),
  };
  const settings = Object.entries(given).filter(([, value]) => value !== '');
  const { wholesalerId, apiKey } = await viewer.ops.wholesalers.create({
    name: fieldOf(visit, 'name'),
    ...Object.fromEntries(settings),
  });
  const title = say('Llave nueva', 'New key');
  return secretPage(visit, { title, secrets: [apiKey], back: `/mayoristas/${wholesalerId}` });
}

type Wholesaler = AnswerOf<'getWholesaler'>;

/** A wholesaler with its settings and its keys. */
async function showWholesaler(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const wholesalerId = idOf(visit, 'wholesalerId');
  const wholesaler = await viewer.ops.wholesalers.get(wholesalerId);
  const isAdmin = mayDo(viewer, 'admin');
  const party = { path: `/mayoristas/${wholesalerId}`, kind: 'wholesaler' as const };
  const page = await listPage(visit, {
    title: say('Llaves', 'Keys'),
    list: ({ cursor }) => viewer.ops.wholesalers.listKeys(wholesalerId, { cursor }),
    rowsOf: ({ apiKeys }) => apiKeys,
    before: html`${settings(visit, wholesaler)} ${await historyPart(visit, wholesalerId)}
    ${isAdmin ? html`${settingsForm(visit, wholesaler)} ${issueKeyForm(visit, party)}` : NOTHING}`,
    empty: say('No tiene llaves.', 'It has no keys.'),
    columns: keyColumns(visit, party),
  });
  return {
    ...page,
    path: ['/mayoristas', say('Mayoristas', 'Wholesalers')],
    title: wholesaler.name,
    lead: html`<a href="/liquidaciones?mayorista=${wholesalerId}"
        >${say('Liquidaciones', 'Statements')}</a
      >
      ·
      <a href="/exportaciones?mayorista=${wholesalerId}">${say('Exportaciones', 'Exports')}</a>`,
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
      reasonField(say),
    ],
  });
}

/** Sends what differs from today's settings only, so that a change asks for no more than was meant. */
async function changeSettings(visit: Visit, wholesalerId: string): Promise<void> {
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
    const reason = reasonIn(visit);
    await visit.viewer.ops.wholesalers.update(wholesalerId, {
      ...Object.fromEntries(changed),
      ...reason,
    });
  }
}

async function issueKey(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const wholesalerId = idOf(visit, 'wholesalerId');
  const { apiKey } = await viewer.ops.wholesalers.issueKey(wholesalerId, askedKey(visit));
  const title = say('Llave nueva', 'New key');
  return secretPage(visit, { title, secrets: [apiKey], back: `/mayoristas/${wholesalerId}` });
}
