import { html, type Html } from '@fiado/chassis/html';
import { MAX_TIMELINE_PAGE } from '@fiado/contracts/timeline';
import {
  buttonLink,
  clockOf,
  dayAt,
  dayOf,
  groupedBy,
  pesosOf,
  plainList,
  textOf,
} from '../frame/formats';
import { unlessRefused } from '../frame/parts';
import { firstPage } from '../frame/read';
import { missingNotice } from '../frame/refusal';
import { queryOf, type Visit } from '../frame/visit';
import { say, sentenceCase, stateName, stepName, templateName } from '../frame/words';
import { eventLines, eventName, folded, isLook, type TimelineEntry } from './events';
import { refusalReason } from './facts';
import type { Store } from './stores';

/** Entries in a row; more than one where people of the lender only looked at the store: those would hide what happened. */
type Row = TimelineEntry & { times: number };

/** Operations that order: a refused order is among all that happened, other refused requests are not. */
const ORDERS = ['createTransaction', 'createTransactions'];

/** What a reader can ask for. Looks and the bookkeeping of the line hide what happened. */
const VIEWS: Record<string, (type: string, operation: unknown) => boolean> = {
  todo: (type, operation) =>
    type === 'request.refused'
      ? ORDERS.includes(String(operation))
      : !isLook(type) && !type.startsWith('credit.'),
  dinero: (type) => /^(debt|payment|balance|default|credit)\./.test(type),
  pedidos: (type) => /^(order|request)\./.test(type),
  mensajes: (type) => type.startsWith('message.'),
  personal: (type) => isLook(type) || /^(corner-store|user|onboarding|change)\./.test(type),
};

/** What happened to a store in all services, newest first, with a link to the next page. */
export async function timelinePart({ cornerStoreId }: Store, visit: Visit): Promise<Html> {
  const cursor = queryOf(visit, 'historial');
  const asked = queryOf(visit, 'ver');
  const view = Object.hasOwn(VIEWS, asked) ? asked : 'todo';
  const query = { limit: MAX_TIMELINE_PAGE, ...(cursor !== '' && { cursor }) };
  const page = firstPage(visit.viewer.ops.cornerStores.timeline(cornerStoreId, query)).then(
    ({ entries, missing, nextCursor }) => {
      const shown = folded(
        entries.filter(({ type, details }) => VIEWS[view]?.(type, details['operation'])),
        (one, other) => isLook(one.type) && isLook(other.type),
      );
      const none = say('Nada que mostrar aquí.', 'Nothing to show here.');
      return html`${missingNotice(missing)}
      ${shown.length === 0 ? html`<p class="rest">${none}</p>` : days(shown)}
      ${nextCursor !== null && earlier(cornerStoreId, { ver: view, historial: nextCursor })}`;
    },
  );
  return html`<section class="card" id="historial">
    <header>
      <h2>${say('Historial', 'What happened')}</h2>
    </header>
    ${chips(cornerStoreId, view)} ${await unlessRefused(page)}
  </section>`;
}

function chips(cornerStoreId: string, view: string): Html {
  const names: Record<string, string> = {
    todo: say('Todo', 'All'),
    dinero: say('Dinero', 'Money'),
    pedidos: say('Pedidos', 'Orders'),
    mensajes: say('Mensajes', 'Messages'),
    personal: say('Personal', 'Staff'),
  };
  return html`<ul class="chips">
    ${Object.entries(names).map(
      ([one, name]) =>
        html`<li>
          <a
            href="/tiendas/${cornerStoreId}?ver=${one}#historial"
            ${one === view && html`aria-current="true"`}
            >${name}</a
          >
        </li>`,
    )}
  </ul>`;
}

/** Rows under the day on which they happened. */
function days(rows: Row[]): Html {
  return html`${groupedBy(rows, ({ occurredAt }) => dayAt(occurredAt)).map(
    ([day, entries]) =>
      html`<h3 class="day">${dayOf(day)}</h3>
        <ul class="happened">
          ${entries.map((entry) => line(entry))}
        </ul>`,
  )}`;
}

/** One line, which opens where there is more to know. */
function line(entry: Row): Html {
  const { type, occurredAt, times } = entry;
  const amount = amountOf(entry);
  const words = html`<span>${wordsOf(entry)}${times === 1 ? '' : ` (${times})`}</span>
    <strong>${amount === undefined ? '' : pesosOf(amount)}</strong>
    <time datetime="${occurredAt}">${clockOf(occurredAt)}</time>`;
  const tone = toneOf(type);
  const lines = eventLines(entry);
  if (lines.length === 0) return html`<li><p class="${tone}">${words}</p></li>`;
  return html`<li>
    <details>
      <summary class="${tone}">${words}</summary>
      ${plainList(lines)}
    </details>
  </li>`;
}

function wordsOf({ type, details }: Row): string {
  const { template, status, incrementalID, step, wholesalerTransactionId: theirs } = details;
  const name = eventName(type);
  if (type === 'request.refused') {
    return `${name}${theirs === undefined ? '' : ` ${textOf(theirs)}`}: ${refusalOf(details)}`;
  }
  if (template !== undefined) {
    const state = stateName('message', status).toLowerCase();
    return `SMS: ${templateName(template)}, ${state}`;
  }
  if (step !== undefined) return `${name}: ${sentenceCase(stepName(textOf(step)))}`;
  return incrementalID === undefined ? name : `${name} ${textOf(incrementalID)}`;
}

/** Why a request of a wholesaler was refused, with what was asked for, and what was free or the smallest order. */
function refusalOf({
  errorCode,
  askedAmount,
  availableAmount,
  minimumAmount,
}: Row['details']): string {
  if (typeof askedAmount !== 'number') return refusalReason(textOf(errorCode));
  const asked = pesosOf(askedAmount);
  if (minimumAmount !== undefined) {
    const least = pesosOf(minimumAmount);
    return say(
      `pidió ${asked} y el pedido mínimo del mayorista es ${least}.`,
      `it asked for ${asked}, and the smallest order of the wholesaler is ${least}.`,
    );
  }
  const free = pesosOf(availableAmount);
  return say(
    `pidió ${asked} y tenía disponible ${free}.`,
    `it asked for ${asked}, and ${free} was available.`,
  );
}

/** The money that an event moved. */
function amountOf({ type, details }: Row): number | undefined {
  if (!/^(order|debt|payment|balance|default|credit)\./.test(type)) return undefined;
  const amount = details['amountDue'] ?? details['amount'] ?? details['totalAmount'];
  return typeof amount === 'number' ? amount : undefined;
}

function toneOf(type: string): string {
  if (
    /^(payment\.applied|default\.paid|corner-store\.approved|verification\.approved)$/.test(type)
  ) {
    return 'good';
  }
  if (/^(default\.opened|payment\.reversed|corner-store\.rejected|request\.refused)$/.test(type))
    return 'bad';
  if (/^(order|debt)\./.test(type)) return 'info';
  return /^(corner-store|user|phone)\./.test(type) ? 'warn' : '';
}

function earlier(cornerStoreId: string, query: Record<string, string>): Html {
  return html`<p class="rest">
    ${buttonLink(`/tiendas/${cornerStoreId}?${String(new URLSearchParams(query))}#historial`, say('Anteriores', 'Earlier'))}
  </p>`;
}
