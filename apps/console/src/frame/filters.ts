import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import { control, dateField, type Field } from './form';
import { amountIn, dayOf, neededAmountIn, pesosOf } from './formats';
import type { Query } from './read';
import { queryOf, type Visit } from './visit';
import { say, type StateKind, stateName, type StateOf } from './words';

/** A filter of a list: parameters of the address, each with its control. */
export interface Filter {
  /** What the chip says, such as Días. */
  label: string;
  fields: Field[];
  /** What the chip says while the filter is set. */
  text: string;
  /** How the API is asked for it. */
  asked?: Query;
  /** How the API is asked for as many days before, where it is a filter by days. */
  earlier?: { called: string; asked: Query } | undefined;
}

const DAY_MS = 24 * 60 * 60_000;

/** What the chip of all states has in the address. */
const ALL = ['', 'todos', 'todas'] as const;

interface StatesOf<Kind extends StateKind, State = StateOf<Kind> | (typeof ALL)[number]> {
  /** What has these states, and the name of the chip of all. */
  kind: Kind;
  all: string;
  /** Its chips; the first is shown when nothing is asked for. */
  shown: readonly [State, ...State[]];
  /** How the API is asked for a state that is none of its own. */
  asks?: Partial<Record<StateOf<Kind>, Query>>;
}

/** The states that a list can show. */
export type States = { [Kind in StateKind]: StatesOf<Kind> }[StateKind];

/** The state that a list is asked to show. */
export function stateIn(visit: Visit, { shown }: { shown: readonly string[] }): string {
  const asked = queryOf(visit, 'status');
  return shown.find((one) => one === asked) ?? shown[0] ?? '';
}

/** How the API is asked for it. */
export function queryOfState(visit: Visit, states: States): Query {
  const status = stateIn(visit, states);
  const asks: Record<string, Query> = states.asks ?? {};
  return asks[status] ?? (isAll(status) ? {} : { status });
}

/** Parameters of the address that the chips of a list keep. */
interface Kept {
  path: string;
  query: Pairs;
}

type Pairs = Array<[name: string, value: string]>;

/**
 * The chips of a list: states, filters that are set, each of which a click removes, and those that can be
 * added. All of them are in the address and nowhere else.
 */
export function chipsOf(visit: Visit, path: string, filters: Filter[], states?: States): HtmlValue {
  if (states === undefined && filters.length === 0) return undefined;
  const names = ['status', ...filters.flatMap(({ fields }) => fields.map(({ name }) => name))];
  const query = names
    .map((name): [string, string] => [name, queryOf(visit, name)])
    .filter(([, value]) => value !== '');
  const kept = { path, query };
  const isSet = ({ fields }: Filter): boolean =>
    fields.some(({ name }) => queryOf(visit, name) !== '');
  return html`<nav aria-label="${say('Filtro', 'Filter')}">
    ${states && stateChips(kept, states, stateIn(visit, states))}
    ${
      filters.length > 0 &&
      html`<ul class="chips">
        ${filters.map((filter) => (isSet(filter) ? setChip(filter, kept) : addChip(filter, kept)))}
        ${filters.some(isSet) && clearChip(kept, names)}
      </ul>`
    }
  </nav>`;
}

function stateChips(
  kept: Kept,
  { kind, all, shown }: { kind: StateKind; all: string; shown: readonly string[] },
  status: string,
): Html {
  return html`<ul class="chips">
    ${shown.map((one) => {
      const added: Pairs = one === shown[0] ? [] : [['status', one]];
      return html`<li>
        <a
          href="${hrefWithout(kept, ['status'], added)}"
          ${one === status && html`aria-current="true"`}
          >${isAll(one) ? all : stateName(kind, one)}</a
        >
      </li>`;
    })}
  </ul>`;
}

function isAll(status: string): boolean {
  return ALL.some((one) => one === status);
}

function hrefWithout({ path, query }: Kept, names: string[], added: Pairs = []): string {
  const left = [...added, ...query.filter(([name]) => !names.includes(name))];
  return left.length === 0 ? path : `${path}?${String(new URLSearchParams(left))}`;
}

/** A filter that is set: a click removes it. */
function setChip({ label, text, fields }: Filter, kept: Kept): Html {
  const href = hrefWithout(
    kept,
    fields.map(({ name }) => name),
  );
  return html`<li>
    <a class="on" href="${href}" aria-label="${say('Quitar', 'Remove')}: ${label} ${text}"
      >${text} <span aria-hidden="true">×</span></a
    >
  </li>`;
}

/** A filter that can be added, behind its name: a form that leads to the list with it. */
function addChip({ label, fields }: Filter, { path, query }: Kept): Html {
  const names = fields.map(({ name }) => name);
  const others = query.filter(([name]) => !names.includes(name));
  return html`<li>
    <details name="filter">
      <summary>+ ${label}</summary>
      <form method="get" action="${path}">
        ${others.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        ${fields.map(
          (field) =>
            html`<label for="filter-${field.name}">${field.label}</label>
              ${control(field, `filter-${field.name}`)}`,
        )}
        <p><button>${say('Filtrar', 'Filter')}</button></p>
      </form>
    </details>
  </li>`;
}

function clearChip(kept: Kept, names: string[]): Html {
  const href = hrefWithout(
    kept,
    names.filter((name) => name !== 'status'),
  );
  return html`<li>
    <a class="clear" href="${href}">${say('Quitar filtros', 'Remove filters')}</a>
  </li>`;
}

/** Days of a list, from one to another, both included. */
export function daysFilter(visit: Visit): Filter {
  const from = dayIn(visit, 'desde');
  const to = dayIn(visit, 'hasta');
  const texts = [
    from && say(`Del ${dayOf(from)}`, `From ${dayOf(from)}`),
    to && say(`al ${dayOf(to)}`, `to ${dayOf(to)}`),
  ];
  return {
    label: say('Días', 'Days'),
    fields: [
      dateField('desde', say('Desde el día', 'From'), from),
      dateField('hasta', say('Hasta el día', 'To'), to),
    ],
    text: texts.filter((text) => text !== '').join(' '),
    // The API leaves out the day that a period ends with.
    asked: { ...(from !== '' && { from }), ...(to !== '' && { to: dayAfter(to) }) },
    earlier: earlierDays(from, to),
  };
}

/** As many days before as the list has; undefined where it has no first or no last day. */
function earlierDays(from: string, to: string): Filter['earlier'] {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (!(days >= 1)) return undefined;
  if (days === 1) {
    return {
      called: say('El mismo día de la semana anterior', 'The same day of the week before'),
      asked: { from: daysAfter(from, -7), to: daysAfter(from, -6) },
    };
  }
  return {
    called: say(`Los ${days} días anteriores`, `The ${days} days before`),
    asked: { from: daysAfter(from, -days), to: from },
  };
}

/** The values of a filter, with their names. */
export type Choices = ReadonlyArray<readonly [value: string, name: string]>;

/**
 * A filter of one value: its parameter of the address, its name, the parameter of the API, and what it takes. That is one
 * of some values, an amount, or a text, with what its chip says of it.
 */
export type ValueFilter = [
  name: string,
  label: string,
  asks: string,
  takes: Choices | Promise<Choices> | 'amount' | ((value: string) => string),
];

/** A filter as a list declares it, completed with the value that the address has. */
export async function filterOf(visit: Visit, filter: Filter | ValueFilter): Promise<Filter> {
  if (!Array.isArray(filter)) return filter;
  const [name, label, asks, takes] = filter;
  const value = queryOf(visit, name);
  if (takes === 'amount') {
    const text = `${label} ${pesosOf(neededAmountIn(value))}`;
    const asked = value === '' ? {} : { [asks]: String(amountIn(value)) };
    return { label, text, asked, fields: [{ name, label, value, inputmode: 'decimal' }] };
  }
  const asked = { [asks]: value || undefined };
  if (typeof takes === 'function') {
    return { label, text: `${label} ${takes(value)}`, asked, fields: [{ name, label, value }] };
  }
  const options = await takes;
  const text = options.find(([one]) => one === value)?.[1] ?? value;
  return { label, text, asked, fields: [{ name, label, options }] };
}

/** A day of the address; empty when it is none. */
export function dayIn(visit: Visit, name: string): string {
  const day = queryOf(visit, name);
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : '';
}

/** The day after one. */
export function dayAfter(day: string): string {
  return daysAfter(day, 1);
}

/** The day that lies so many days after one; before it with a number below zero. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
