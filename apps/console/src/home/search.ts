import { createHmac, createSecretKey } from 'node:crypto';
import type { RequestHandler } from 'express';
import { html, type Html } from '@fiado/chassis/html';
import { decrypt, encrypt, KEY_ID_BYTES, type SealingKey } from '@fiado/chassis/keys/sealing';
import { MAX_HITS, MAX_SEARCH } from '@fiado/contracts/page';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { inFours, link, pesosOf } from '../frame/formats';
import { searchForm } from '../frame/layout';
import { table, tablePart } from '../frame/parts';
import { unlessDown } from '../frame/read';
import { storeNames, type StoreNames } from '../frame/names';
import { missingNotice, sentenceOf } from '../frame/refusal';
import {
  act,
  type ConsoleContext,
  isFromOurPage,
  show,
  showOrLead,
  viewerOf,
  type Route,
} from '../frame/serve';
import { fieldOf, mayDo, type Page, type Redirect, type Visit } from '../frame/visit';
import { say, stateBadge, stateName, naming } from '../frame/words';
import { colleaguePage, findColleagues } from '../staff/staff';
import { aboutStore, shownStatus, type Store } from '../stores/stores';

/** Where the script asks while somebody types; it is a POST for the reason that the search is one. */
const SUGGESTIONS = '/buscar/sugerencias';
/** Hits that are suggested: what fits beneath a field. */
const MAX_SUGGESTIONS = 8;

export const searchRoutes: Route[] = [
  show('/buscar', async (visit) => ({ title: titleOf(), content: help(visit) })),
  act('/buscar', leadToResult),
  { method: 'post', path: SUGGESTIONS, handlerOf: sendSuggestions },
  showOrLead('/buscar/:consulta', showResult),
];

type SearchHit = AnswerOf<'searchByBody'>['hits'][number];

/** The address of a result is good for this long, and for the session that searched. */
const RESULT_LIFE_MS = 10 * 60_000;

/**
 * Leads to the result, so that Back and a reload work. The address has the text sealed: browsers and proxies keep
 * addresses, and this may be a phone.
 */
function leadToResult(visit: Visit): Promise<Redirect> {
  const q = fieldOf(visit, 'q').slice(0, MAX_SEARCH);
  const redirect = q === '' ? '/buscar' : `/buscar/${sealed(visit, q)}`;
  return Promise.resolve({ redirect });
}

/** What a text names in all services, each hit with a link to its page; the only one is opened. */
async function showResult(visit: Visit): Promise<Page | Redirect> {
  const q = opened(visit, String(visit.req.params['consulta']));
  if (q === undefined) return { redirect: '/buscar' };
  const { hits, missing } = await visit.viewer.ops.search.find({ q });
  // The API does not search the staff.
  const colleagues = hits.length === 0 ? await findColleagues(visit, q) : [];
  const pages = [...hits.map((hit) => pageOf(hit)), ...colleagues.map(colleaguePage)];
  const [only, ...others] = [...new Set(pages)];
  if (only !== undefined && others.length === 0 && missing.length === 0) {
    // A refused order has no page of its own: this one shows why it was refused.
    if (hits.every(({ kind }) => kind !== 'refused-transaction')) return { redirect: only };
  }
  const names = await storeNames(visit, storesOf(hits));
  const hasMore =
    hits.filter(({ kind, matchedBy }) => kind === 'corner-store' && matchedBy === 'name').length ===
    MAX_HITS;
  const title = titleOf();
  return {
    title,
    lead: say(`Resultados de «${q}»`, `Results for “${q}”`),
    content: html`${missingNotice(missing)}
    ${tablePart({
      title: say('Personal', 'Staff'),
      rows: colleagues,
      href: colleaguePage,
      columns: [
        [say('Nombre', 'Name'), 'name', 'name'],
        [say('Correo', 'E-mail'), 'email'],
      ],
    })}
    ${
      colleagues.length === 0 &&
      table<SearchHit>(
        title,
        [
          [say('Nombre', 'Name'), (hit) => linked(hit, names), 'name'],
          [say('Qué es', 'What'), ({ kind }) => kindOfHit(kind), 'when'],
          [say('Coincide con', 'Matched by'), ({ matchedBy }) => matchName(matchedBy)],
          [say('Estado', 'Status'), (hit) => stateOf(hit, names), 'state'],
          [say('Debe', 'Due'), ({ amountDue }) => amountDue ?? '', 'money'],
        ],
        hits,
        { empty: say('Nada se llama así.', 'Nothing is called that.') },
      )
    }
    ${hasMore && html`<p class="quiet">${say('Puede haber más: escribe otra palabra del nombre.', 'There may be more: add another word of the name.')}</p>`}
    ${help(visit)}`,
  };
}

/** What one line beneath the field says. */
interface Suggestion {
  href: string;
  name: string;
  note: string;
}

/** What the text so far names, as JSON; nothing for a stranger, or where the API refuses it. */
function sendSuggestions(context: ConsoleContext): RequestHandler {
  return async (req, res) => {
    const viewer = isFromOurPage(req, context.consoleUrl)
      ? await viewerOf(context, req)
      : undefined;
    if (viewer === undefined) return void res.status(401).json({ suggestions: [] });
    const visit = { req, viewer };
    const q = fieldOf(visit, 'q').slice(0, MAX_SEARCH);
    const suggestions = await unlessDown(suggestionsFor(visit, q));
    res.json({ suggestions: suggestions ?? [] });
  };
}

async function suggestionsFor(visit: Visit, q: string): Promise<Suggestion[]> {
  const { viewer } = visit;
  const { hits } = await viewer.ops.search.find({ q });
  const shown = hits.slice(0, MAX_SUGGESTIONS);
  const names = await storeNames(visit, storesOf(shown));
  return shown.flatMap((hit) => {
    const href = pageOf(hit);
    const { kind, id, label, amountDue } = hit;
    const store = kind === 'corner-store' ? names.get(id) : undefined;
    const about =
      store === undefined
        ? [kindOfHit(kind)]
        : [...aboutHit(hit, store), stateName('store', shownStatus(store))];
    const due =
      amountDue === null ? [] : [say(`debe ${pesosOf(amountDue)}`, `owes ${pesosOf(amountDue)}`)];
    const name = inFours(store?.name ?? label ?? kindOfHit(kind));
    const notes = [...about, ...due].filter((note) => note !== name);
    return href === undefined ? [] : [{ href, name, note: notes.join(' · ') }];
  });
}

/** The stores that hits are, or are about. */
function storesOf(hits: readonly SearchHit[]): Array<{ cornerStoreId: string | null }> {
  return hits.map(({ kind, id, cornerStoreId }) => ({
    cornerStoreId: kind === 'corner-store' ? id : cornerStoreId,
  }));
}

function titleOf(): string {
  return say('Buscar', 'Search');
}

/** The key of a session's addresses of results; nobody else has the session's token. */
function keyOf({ viewer }: Visit): SealingKey {
  const digest = createHmac('sha256', viewer.sessionToken).update('fiado console search').digest();
  return { id: ONLY_KEY, key: createSecretKey(digest) };
}

/** A session has one key, so its id says nothing. */
const ONLY_KEY = Buffer.alloc(KEY_ID_BYTES);
const SEALED_FOR = 'address of a result';

function sealed(visit: Visit, q: string): string {
  const text = JSON.stringify([Date.now() + RESULT_LIFE_MS, q]);
  return encrypt(keyOf(visit), Buffer.from(text), SEALED_FOR).toString('base64url');
}

/** The text of a result's address; undefined once it is over, or of another session. */
function opened(visit: Visit, address: string): string | undefined {
  try {
    const bytes = decrypt(keyOf(visit), Buffer.from(address, 'base64url'), SEALED_FOR);
    const [endsAt, q] = JSON.parse(bytes.toString()) as [number, string];
    return endsAt > Date.now() ? q : undefined;
  } catch {
    return undefined;
  }
}

function help({ viewer }: Visit): Html {
  return html`<div class="card">
    ${searchForm(viewer, 'buscar')}
    <p class="quiet">
      ${say('Se busca el dato completo: clave de cliente, número de pedido, también el del mayorista y el de uno rechazado, factura, referencia, monto o id. De mayoristas y proveedores basta parte del nombre.', 'Whole values: customer id, order number, also the wholesaler’s and that of a refused one, invoice, reference, amount or id. Of wholesalers and providers a part of the name is enough.')}
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
      ${mayDo(viewer, 'admin') && say('Y al personal, por nombre o correo.', 'And the staff, by name or e-mail.')}
    </p>
  </div>`;
}

/** Of a refused order, which has no page, the store that asked for it, or else its wholesaler. */
function pageOf({ kind, id, cornerStoreId, wholesalerId }: SearchHit): string | undefined {
  const ofStore = `/tiendas/${cornerStoreId ?? id}`;
  const pages: Record<string, string> = {
    'corner-store': ofStore,
    transaction: `/pedidos/${id}`,
    'refused-transaction':
      cornerStoreId === null
        ? `/mayoristas/${wholesalerId ?? ''}`
        : `${ofStore}?ver=pedidos#historial`,
    deposit: `/depositos/${id}`,
    wholesaler: `/mayoristas/${id}`,
    'payment-provider': `/proveedores/${id}`,
  };
  return pages[kind];
}

function linked(hit: SearchHit, names: StoreNames): Html {
  const { kind, id, cornerStoreId, label } = hit;
  const page = pageOf(hit);
  const store = names.get(kind === 'corner-store' ? id : (cornerStoreId ?? ''));
  const isStore = kind === 'corner-store';
  const text = (isStore ? store?.name : label) || label || kindOfHit(kind);
  const notes = isStore && store !== undefined ? aboutHit(hit, store) : [store?.name];
  return html`${page === undefined ? html`${text}` : link(page, inFours(text))}
    <small>${notes.filter((note) => note !== undefined && note !== text).join(' · ')}</small>`;
}

/** What tells a store from others of its name, and the reference that found it. */
function aboutHit({ matchedBy, label }: SearchHit, store: Store): string[] {
  const found = matchedBy === 'numeroReferencia' ? [inFours(label)] : [];
  return [...aboutStore(store), ...found];
}

function stateOf({ kind, id, errorCode }: SearchHit, names: StoreNames): Html | string {
  if (errorCode !== null) return sentenceOf(errorCode);
  const store = kind === 'corner-store' ? names.get(id) : undefined;
  return store === undefined ? '' : stateBadge('store', shownStatus(store));
}

const kindOfHit = naming({
  'corner-store': ['Tienda', 'Store'],
  transaction: ['Pedido', 'Order'],
  'refused-transaction': ['Pedido rechazado', 'Refused order'],
  deposit: ['Depósito sin asignar', 'Unmatched deposit'],
  wholesaler: ['Mayorista', 'Wholesaler'],
  'payment-provider': ['Proveedor de pagos', 'Payment provider'],
});

const matchName = naming({
  id: ['id', 'id'],
  userId: ['id de la cuenta', 'account id'],
  externalId: ['clave de cliente', 'customer id'],
  phoneNumber: ['teléfono', 'phone'],
  name: ['nombre', 'name'],
  wholesalerTransactionId: ['número del mayorista', 'their order number'],
  incrementalID: ['número de pedido', 'order number'],
  idFactura: ['factura', 'invoice'],
  numeroReferencia: ['referencia', 'reference'],
  amount: ['monto', 'amount'],
});
