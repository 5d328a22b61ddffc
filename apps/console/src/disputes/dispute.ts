import { html, type Html, type HtmlValue, NOTHING } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { foldedForm, form, reasonField } from '../frame/form';
import { buttonLink, link, pesosOf, phoneOf, textOf, timeOf } from '../frame/formats';
import { card, factCard, tablePart } from '../frame/parts';
import { firstPage, unlessDown } from '../frame/read';
import { storeLink, storeNames } from '../frame/names';
import { forRole, recordPage } from '../frame/record';
import { mayDo, type Visit } from '../frame/visit';
import { say, stateBadge, naming } from '../frame/words';
import { productsPart } from '../orders/products';
import { messagesOfOrder } from '../messages/messages';

type Order = AnswerOf<'showTransaction'>;
type Sheet = AnswerOf<'showDispute'> & { order: Order };

/** How a store said that an order is not its own. */
export const channelName = naming({
  sms: ['SMS', 'SMS'],
  page: ['Mi cuenta', 'Its page'],
  ops: ['Llamada', 'A call'],
});

/** All that speaks for and against the order on one page, and the two decisions. */
export const dispute = recordPage('/disputas/:disputeId', {
  load: async (id, { viewer: { ops } }) => {
    const sheet = await ops.disputes.get(id);
    return { ...sheet, order: await ops.transactions.show(sheet.transactionId) };
  },
  path: () => ['/disputas', say('Disputas', 'Disputes')],
  title: ({ incrementalID: number }) =>
    say(`Disputa del pedido ${number}`, `Dispute of order ${number}`),
  badge: ({ status }) => stateBadge('dispute', status),
  lead: storeAndWholesaler,
  actions: ({ transactionId }) =>
    buttonLink(`/pedidos/${transactionId}`, say('Ver pedido', 'See the order')),
  above: [decidedNotice],
  // What speaks for and against it stands before the decision, on a phone, too.
  parts: [
    saidCard,
    proofsCard,
    ({ order }) => productsPart(order),
    forRole('operator', decisionPart),
    messagesOfOrder,
  ],
  side: [sharesCard],
});

async function storeAndWholesaler(sheet: Sheet, visit: Visit): Promise<Html> {
  const { cornerStoreId, wholesalerId, wholesaler } = sheet;
  const names = await storeNames(visit, [sheet]);
  return html`${storeLink(names, cornerStoreId, say('Una tienda', 'A store'))}
    ${say('no reconoce un pedido de', 'does not know an order of')}
    ${link(`/mayoristas/${wholesalerId}`, wholesaler)} ·
    <span class="whole">${phoneOf(textOf(names.get(cornerStoreId)?.phoneNumber))}</span>`;
}

function decidedNotice({ status, reason, decidedAt }: Sheet): Html {
  if (status === 'open') return NOTHING;
  const how =
    status === 'kept'
      ? say('Se mantiene: la tienda lo debe.', 'Kept: the store owes it.')
      : say('Se acreditó.', 'Credited.');
  return html`<p class="notice">${how} ${reason ?? ''} (${timeOf(decidedAt)})</p>`;
}

/** The two decisions of an open dispute. */
function decisionPart(
  { status, disputeId, totalAmountWithInterests, order: { statement } }: Sheet,
  visit: Visit,
): HtmlValue {
  if (status !== 'open') return undefined;
  const fields = [reasonField()];
  const settled =
    statement == null
      ? say(
          'La tienda lo debe, y el pedido entra en la próxima liquidación que le toque.',
          'The store owes it, and the order is in the next statement that is due to have it.',
        )
      : say(
          `La tienda lo debe. El pedido ya está en la liquidación ${statement.number}: al mayorista no se le paga otra vez.`,
          `The store owes it. The order is in statement ${statement.number} already: the wholesaler is not paid again.`,
        );
  const kept = `${settled} ${say(
    'Los días en disputa, a lo más siete, retrasan el atraso.',
    'The days in dispute, at most seven, are added before a default.',
  )}`;
  const credited = say(
    'Una nota de crédito por todo lo que queda: la tienda no lo debe y se descuenta al mayorista. Si es grande, la aprueba otra persona.',
    'A credit note of all that is left: the store does not owe it, and the wholesaler is paid less. A large one is approved by another person.',
  );
  const total = pesosOf(totalAmountWithInterests);
  // Not folded: an agent decides many.
  return [
    card(say('Se mantiene', 'Keep it'), [
      html`<p>${kept}</p>`,
      form(visit, {
        action: `/disputas/${disputeId}/mantener`,
        button: say('Mantener el cobro', 'Keep the debt'),
        fields,
      }),
    ]),
    card(say('Se acredita', 'Credit it'), [
      html`<p>${credited}</p>`,
      form(visit, {
        action: `/disputas/${disputeId}/acreditar`,
        button: say(`Acreditar ${total}`, `Credit ${total}`),
        kind: 'bad',
        fields,
      }),
    ]),
  ];
}

/** How the order was confirmed and handed over. */
function proofsCard({ proofs, openedAt }: Sheet): Html {
  const hours = Math.floor((Date.parse(openedAt) - Date.parse(proofs.deliveredAt)) / 3_600_000);
  const { confirmedAt, deliveredAt, metresFromUsual: metres } = proofs;
  const seconds = proofs.secondsToConfirm ?? 0;
  const soon = seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  // Five decimals of a degree are a metre.
  const place = proofs.place?.replaceAll(/(\.\d{5})\d+/g, '$1');
  return factCard(say('Pruebas', 'Proofs'), [
    [say('Pedido', 'Ordered'), timeOf(proofs.orderedAt)],
    [
      say('Clave', 'Code'),
      confirmedAt === null
        ? say('Sin clave: no se pidió', 'No code: none was asked for')
        : say(
            `Correcta ${timeOf(confirmedAt)}, ${proofs.linked ? 'en su página' : 'con el vendedor'}, ${soon} después de enviada; se envió ${proofs.codeSends === 1 ? 'una vez' : `${proofs.codeSends} veces`}`,
            `Right ${timeOf(confirmedAt)}, ${proofs.linked ? 'on its page' : 'through the seller'}, ${soon} after it was sent; sent ${proofs.codeSends === 1 ? 'once' : `${proofs.codeSends} times`}`,
          ),
    ],
    [
      say('Entrega', 'Delivery'),
      html`${timeOf(deliveredAt)}
        <span class="quiet"
          >${
            hours === 0
              ? say('disputada en menos de una hora', 'disputed within an hour')
              : say(`disputada ${hours} h después`, `disputed ${hours} h later`)
          }</span
        >`,
    ],
    [
      say('Palabra de entrega', 'Delivery word'),
      proofs.deliveryProof === 'word'
        ? say(`Correcta; ${proofs.wrongWords} equivocadas`, `Right; ${proofs.wrongWords} wrong`)
        : say('No hubo: solo lo dice el mayorista', 'None: only the wholesaler says so'),
    ],
    [say('Chofer', 'Driver'), textOf(proofs.driverId)],
    [
      say('Lugar', 'Place'),
      place === undefined
        ? say('No lo dijo el mayorista', 'The wholesaler did not tell')
        : metres === null
          ? place
          : say(`${place}, a ${metres} m de lo usual`, `${place}, ${metres} m from the usual one`),
    ],
  ]);
}

/** What the store and the wholesaler said. */
function saidCard({ openedBy, openedAt, response, respondedAt }: Sheet): Html {
  return factCard(say('Qué dicen', 'What they say'), [
    [
      say('La tienda', 'The store'),
      say(
        `No lo reconoce (${channelName(openedBy)}, ${timeOf(openedAt)})`,
        `Does not know it (${channelName(openedBy)}, ${timeOf(openedAt)})`,
      ),
    ],
    [
      say('El mayorista', 'The wholesaler'),
      response === null
        ? say('Todavía nada', 'Nothing yet')
        : html`${textOf(response)} <span class="quiet">${timeOf(respondedAt)}</span>`,
    ],
  ]);
}

function sharesCard({ proofs }: Sheet): Html {
  const { disputesOfWholesaler: ofWholesaler, deliveriesOfWholesaler: deliveries } = proofs;
  const { disputesOfDriver: ofDriver, disputesOfStore: ofStore, keptOfStore: kept } = proofs;
  return factCard(say('Disputas de 90 días', 'Disputes of 90 days'), [
    [
      say('Del mayorista', 'Of the wholesaler'),
      say(
        `${ofWholesaler} de ${deliveries} entregas`,
        `${ofWholesaler} of ${deliveries} deliveries`,
      ),
    ],
    [say('Del chofer', 'Of the driver'), ofDriver],
    [
      say('De la tienda, siempre', 'Of the store, ever'),
      say(`${ofStore}, mantenidas ${kept}`, `${ofStore}, kept ${kept}`),
    ],
  ]);
}

/** On the page of a delivered order: its disputes, and the form that notes one. */
export async function disputesOfOrder(
  { transactionId, deliveredAt }: Pick<Order, 'transactionId' | 'deliveredAt'>,
  visit: Visit,
): Promise<Html> {
  const { viewer } = visit;
  if (deliveredAt === null) return NOTHING;
  const found = await unlessDown(firstPage(viewer.ops.disputes.list({ transactionId })));
  const disputes = found?.disputes ?? [];
  const isOpen = disputes.some(({ status }) => status === 'open');
  const known = tablePart({
    title: say('Disputas', 'Disputes'),
    href: ({ disputeId }) => `/disputas/${disputeId}`,
    columns: [
      [say('Disputa', 'Dispute'), ({ openedBy }) => channelName(openedBy), 'name'],
      [say('Desde', 'Since'), 'openedAt', 'when'],
      [say('Estado', 'Status'), 'status', 'dispute'],
    ],
    rows: disputes,
  });
  if (isOpen || !mayDo(viewer, 'operator')) return known;
  return html`${known}
  ${foldedForm(visit, {
    summary: say('La tienda no reconoce este pedido', 'The store does not know this order'),
    hint: say(
      'Se anota la disputa. Hasta que alguien decida, nadie le recuerda el pago, y el pedido no entra en una liquidación, si no está ya en una.',
      'The dispute is noted. Until somebody decides, nobody is reminded, and no statement gets the order, unless one has it already.',
    ),
    action: `/pedidos/${transactionId}/disputa`,
    button: say('Anotar la disputa', 'Note the dispute'),
    fields: [],
  })}`;
}
