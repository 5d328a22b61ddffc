import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { MAX_HITS, MAX_SEARCH } from '@fiado/contracts/page';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { inFours } from '../frame/formats';
import { searchForm } from '../frame/layout';
import { table } from '../frame/lists';
import { storeNames, type StoreNames } from '../frame/store-names';
import { missingNotice } from '../frame/refusal';
import { act, show, type Route } from '../frame/serve';
import { fieldOf, mayDo, type Page, type Visit } from '../frame/visit';
import { wordFor, type Say } from '../frame/words';

export const searchRoutes: Route[] = [show('/buscar', showSearch), act('/buscar', showSearch)];

type SearchHit = AnswerOf<'searchByBody'>['hits'][number];

/** What a text names in all services, each hit with a link to its page. */
async function showSearch(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  // In the body of a form: addresses are kept by browsers and proxies, and this may be a phone.
  const q = fieldOf(visit, 'q').slice(0, MAX_SEARCH);
  const title = say('Buscar', 'Search');
  if (q === '') return { title, content: help(visit) };
  const { hits, missing } = await viewer.ops.search.find({ q });
  const names = await storeNames(
    visit,
    hits.map(({ kind, id, cornerStoreId }) => ({
      cornerStoreId: kind === 'corner-store' ? id : cornerStoreId,
    })),
  );
  const hasMore = hits.filter(({ matchedBy }) => matchedBy === 'name').length === MAX_HITS;
  const name = say(`Resultados de «${q}»`, `Results for “${q}”`);
  return {
    title: name,
    content: html`${missingNotice(missing, say)}
    ${table(
      name,
      [
        [say('Nombre', 'Name'), (hit) => linked(hit, names, say), 'name'],
        [say('Qué es', 'What'), ({ kind }) => kindOfHit(kind, say), 'when'],
        [say('Coincide con', 'Matched by'), ({ matchedBy }) => matchName(matchedBy, say)],
      ],
      hits,
      say('Nada se llama así.', 'Nothing is called that.'),
    )}
    ${hasMore ? html`<p class="quiet">${say('Puede haber más: escribe otra palabra del nombre.', 'There may be more: add another word of the name.')}</p>` : NOTHING}
    ${help(visit)}`,
  };
}

function help({ viewer, say }: Visit): Html {
  return html`<div class="card">
    ${searchForm(say, viewer, 'buscar')}
    <p class="quiet">
      ${say('Se busca el dato completo: clave de cliente, número de pedido, también el del mayorista, referencia o id.', 'Whole values only: customer id, order number, also the wholesaler’s, reference or id.')}
      ${
        mayDo(viewer, 'operator')
          ? say(
              'También teléfonos, y palabras, o partes de ellas, del nombre de la tienda o de su dueño; esa búsqueda queda en la auditoría.',
              'Phones too, and words of the name of a store or its owner, or parts of them; such a search is audited.',
            )
          : say(
              'Con tu rol no se puede buscar por teléfono ni por nombre.',
              'Your role does not search by phone or name.',
            )
      }
    </p>
  </div>`;
}

function linked({ kind, id, cornerStoreId, label }: SearchHit, names: StoreNames, say: Say): Html {
  const pages: Record<string, string> = {
    'corner-store': `/tiendas/${cornerStoreId ?? id}`,
    transaction: `/pedidos/${id}`,
    wholesaler: `/mayoristas/${id}`,
    'payment-provider': `/proveedores/${id}`,
  };
  const page = pages[kind];
  const store = names.get(kind === 'corner-store' ? id : (cornerStoreId ?? ''))?.name;
  const own = kind === 'corner-store' ? undefined : label;
  const text = own ?? store ?? label ?? kindOfHit(kind, say);
  const note = own === undefined || own === null ? (kind === 'corner-store' ? label : null) : store;
  return html`${page === undefined ? html`${text}` : html`<a href="${page}">${text}</a>`}
    <small>${note == null || note === text ? '' : inFours(note)}</small>`;
}

function kindOfHit(kind: SearchHit['kind'], say: Say): string {
  return wordFor(kind, {
    'corner-store': say('Tienda', 'Store'),
    transaction: say('Pedido', 'Order'),
    wholesaler: say('Mayorista', 'Wholesaler'),
    'payment-provider': say('Proveedor de pagos', 'Payment provider'),
  });
}

function matchName(matchedBy: SearchHit['matchedBy'], say: Say): string {
  return wordFor(matchedBy, {
    id: 'id',
    userId: say('id de la cuenta', 'account id'),
    externalId: say('clave de cliente', 'customer id'),
    phoneNumber: say('teléfono', 'phone'),
    name: say('nombre', 'name'),
    wholesalerTransactionId: say('número del mayorista', 'their order number'),
    incrementalID: say('número de pedido', 'order number'),
    idFactura: say('factura', 'invoice'),
    numeroReferencia: say('referencia', 'reference'),
  });
}
