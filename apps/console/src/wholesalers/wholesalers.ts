import { html, type Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { changeFieldName } from '../approvals/change-words';
import { historyPart } from '../audit/history';
import { changedIn } from '../frame/body';
import { buttonForm, foldedForm, reasonField, yesOrNoField } from '../frame/form';
import { buttonLink, link, percentText } from '../frame/formats';
import { list, type Listing } from '../frame/lists';
import { type Fact, factCard } from '../frame/parts';
import { unlessDown } from '../frame/read';
import { forRole, recordPage } from '../frame/record';
import { change, type Route } from '../frame/serve';
import { mayDo, type Visit } from '../frame/visit';
import { say } from '../frame/words';
import { issueKeyForm, keysPart, NEW_KEY, secretForm } from '../keys/keys-of-party';

const NEW_WHOLESALER = {
  ...NEW_KEY,
  pageOf: (created: Record<string, string | null>) => `/mayoristas/${created['wholesalerId']}`,
};

const wholesalers = list('/mayoristas', wholesalersOf);

/** A wholesaler with its settings and its keys. */
const wholesalerPage = recordPage('/mayoristas/:wholesalerId', {
  load: (id, { viewer }) => viewer.ops.wholesalers.get(id),
  path: () => ['/mayoristas', say('Mayoristas', 'Wholesalers')],
  title: ({ name }) => name,
  lead: ({ wholesalerId: id }) =>
    html`${link(`/liquidaciones?mayorista=${id}`, say('Liquidaciones', 'Statements'))} ·
    ${link(`/exportaciones?mayorista=${id}`, say('Exportaciones', 'Exports'))}`,
  actions: ({ wholesalerId: id }) => [
    buttonLink(`/tiendas?mayorista=${id}`, say('Ver tiendas', 'See stores')),
    buttonLink(`/pedidos?mayorista=${id}`, say('Ver pedidos', 'See orders')),
  ],
  parts: [
    settings,
    ({ wholesalerId }, visit) => historyPart(visit, wholesalerId),
    forRole('admin', settingsForm),
    forRole('admin', taxProfileForm),
    forRole('admin', (wholesaler, visit) => issueKeyForm(partyOf(wholesaler), visit)),
    (wholesaler, visit) => keysPart(partyOf(wholesaler), visit),
  ],
});

export const wholesalerRoutes: Route[] = [
  wholesalers,
  secretForm(wholesalers, '', NEW_WHOLESALER, 'createWholesaler'),
  wholesalerPage,
  change(wholesalerPage, '', 'guardado', async ({ ops, ids, body }) => {
    const today = await ops.wholesalers.get(ids.wholesalerId);
    const changed = changedIn(body('updateWholesaler'), today);
    if (changed !== undefined) await ops.wholesalers.update(ids.wholesalerId, changed);
  }),
  change(wholesalerPage, 'datos-fiscales', 'guardado', 'setWholesalerTaxProfile'),
  change(wholesalerPage, 'datos-fiscales/quitar', 'guardado', 'removeWholesalerTaxProfile'),
  secretForm(wholesalerPage, 'llaves', NEW_KEY, 'issueWholesalerKey'),
  change(wholesalerPage, 'llaves/:apiKeyId/revocar', 'revocada', 'revokeApiKey'),
];

/** Wholesalers and their settings. */
function wholesalersOf(visit: Visit): Listing<'listWholesalers'> {
  return {
    of: 'listWholesalers',
    title: say('Mayoristas', 'Wholesalers'),
    before: () => mayDo(visit.viewer, 'admin') && createForm(visit),
    empty: say('Todavía no hay mayoristas.', 'There are no wholesalers yet.'),
    href: ({ wholesalerId }) => `/mayoristas/${wholesalerId}`,
    columns: [
      [say('Nombre', 'Name'), 'name', 'name'],
      [say('Comisión', 'Commission'), 'commissionRate', 'percent'],
      [say('Plazo', 'Term'), ({ paymentTermDays: days }) => say(`${days} días`, `${days} days`)],
      [say('Pedido mínimo', 'Smallest order'), 'minimumTransactionAmount', 'money'],
    ],
  };
}

function createForm(visit: Visit): Html {
  const hint = say('Vacío: lo usual.', 'Empty: the usual one.');
  return foldedForm(visit, {
    summary: say('Nuevo mayorista', 'New wholesaler'),
    hint: say(
      'Se crea con su primera llave. Una regla menos estricta que lo usual la decide otra persona.',
      'It is created with its first key. A setting that is less strict than usual is for a second person to decide.',
    ),
    action: '/mayoristas',
    button: say('Crear el mayorista', 'Create the wholesaler'),
    operation: 'createWholesaler',
    fields: [
      { name: 'name', label: say('Nombre', 'Name') },
      ...numbers().map(([name, label]) => ({ name, label, hint })),
      reasonField(),
    ],
  });
}

type Wholesaler = AnswerOf<'getWholesaler'>;

function partyOf({ wholesalerId: id }: Wholesaler) {
  return { id, path: `/mayoristas/${id}`, kind: 'wholesaler' } as const;
}

function settings(wholesaler: Wholesaler): Html {
  return factCard(say('Reglas', 'Settings'), [
    [say('Pedido mínimo', 'Smallest order'), wholesaler.minimumTransactionAmount, 'money'],
    [say('Comisión', 'Commission'), wholesaler.commissionRate, 'percent'],
    [say('Plazo en días', 'Term in days'), wholesaler.paymentTermDays],
    ...switches().map(([name, label]): Fact => [label, wholesaler[name] ? say('sí', 'yes') : 'no']),
    [say('Id del mayorista', 'Id of the wholesaler'), wholesaler.wholesalerId, 'id'],
  ]);
}

/** The settings that people change; the API says which of them need a second person. */
function settingsForm(wholesaler: Wholesaler, visit: Visit): Html {
  const today = {
    minimumTransactionAmount: String(wholesaler.minimumTransactionAmount),
    commissionRate: percentText(wholesaler.commissionRate),
    paymentTermDays: String(wholesaler.paymentTermDays),
  };
  return foldedForm(visit, {
    summary: say('Cambiar reglas', 'Change the settings'),
    hint: say(
      'Una regla menos estricta la decide otra persona.',
      'A setting that is less strict is for a second person to decide.',
    ),
    action: `/mayoristas/${wholesaler.wholesalerId}`,
    button: say('Guardar', 'Save'),
    operation: 'updateWholesaler',
    fields: [
      ...numbers().map(([name, label]) => ({ name, label, value: today[name], required: true })),
      ...switches().map(([name, label]) => yesOrNoField(name, label, wholesaler[name])),
      reasonField(),
    ],
  });
}

/** The settings that are numbers. */
function numbers() {
  return [
    ['minimumTransactionAmount', say('Pedido mínimo en pesos', 'Smallest order in pesos')],
    ['commissionRate', say('Comisión en %', 'Commission in %')],
    ['paymentTermDays', say('Plazo en días', 'Term in days')],
  ] as const;
}

/** The settings that are yes or no. */
function switches() {
  return [
    ['deliveryWordEnabled', say('Palabra de entrega', 'Delivery word')],
    ['confirmationRequired', say('La clave es obligatoria', 'The code is required')],
    ['batchEnabled', say('Pedidos por lote', 'Batches')],
  ] as const;
}

/** Who the commission invoices of the wholesaler are for, as the API has it today. */
async function taxProfileForm({ wholesalerId }: Wholesaler, visit: Visit): Promise<Html> {
  const { viewer } = visit;
  const profile = await unlessDown(viewer.ops.wholesalers.getTaxProfile(wholesalerId));
  const action = `/mayoristas/${wholesalerId}/datos-fiscales`;
  const names = ['rfc', 'legalName', 'taxRegime', 'postalCode', 'cfdiUse', 'email'] as const;
  return html`${foldedForm(visit, {
    summary: say(
      `Datos fiscales: ${profile?.legalName ?? 'no tiene'}`,
      `Tax profile: ${profile?.legalName ?? 'none'}`,
    ),
    hint: say(
      'Cada liquidación que cierre trae la factura de la comisión a este nombre, en mayúsculas y sin “SA DE CV”. Otra persona lo aprueba.',
      'Each statement that closes then has its commission invoice in this name, in capitals and without “SA DE CV”. Another person approves it.',
    ),
    action,
    button: say('Guardar los datos fiscales', 'Save the tax profile'),
    fields: names.map((name) => ({
      name,
      label: changeFieldName(name),
      required: name !== 'email',
      value: profile?.[name] ?? '',
    })),
  })}
  ${
    profile !== undefined &&
    buttonForm(
      viewer,
      `${action}/quitar`,
      say('Quitar los datos fiscales', 'Remove the tax profile'),
    )
  }`;
}
