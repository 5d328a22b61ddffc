import { html, type Html } from '@fiado/chassis/html';
import { control, dateField, type Field } from './form';
import { dayOf } from './formats';
import { queryOf, type Visit } from './visit';
import { say, type StateKind, stateName } from './words';

/** A filter of a list: parameters of the address, each with its control. */
export interface Filter {
  /** What the chip says, such as Días. */
  label: string;
  fields: Field[];
  /** What the chip says while the filter is set. */
  text: string;
  /** How the API is asked for it, where that is the same for all lists. */
  asked?: FilterQuery;
}

interface FilterQuery {
  wholesalerId?: string;
  from?: string;
  to?: string;
}

const DAY_MS = 24 * 60 * 60_000;

/** What the chip of all states has in the address. */
const ALL = ['', 'todos', 'todas'] as const;

type All = (typeof ALL)[number];

interface Filters<Status extends string> {
  /** What has these states, and the name of the chip of all. A list without states has no such chips. */
  kind?: StateKind;
  all?: string;
  /** The first is shown when nothing is asked for. */
  states?: readonly [Status, ...Status[]];
  /** Parameters that the list takes besides its state. */
  filters?: Filter[];
}

type Query = Array<[name: string, value: string]>;

/** Parameters of the address that the chips of a list keep. */
interface Kept {
  path: string;
  query: Query;
}

/**
 * The state that a list is asked to show, and its chips: states, filters that are set, each of which a
 * click removes, and those that can be added. All of them are in the address and nowhere else.
 */
export function listFilters<const Status extends string = ''>(
  visit: Visit,
  path: string,
  { kind, all = '', states = ['' as Status], filters = [] }: Filters<Status>,
): { status: Status; asked: { status?: Exclude<Status, All> } & FilterQuery; chips: Html } {
  const asked = queryOf(visit, 'status');
  const status = states.find((one) => one === asked) ?? states[0];
  const names = ['status', ...filters.flatMap(({ fields }) => fields.map(({ name }) => name))];
  const query = names
    .map((name): [string, string] => [name, queryOf(visit, name)])
    .filter(([, value]) => value !== '');
  const kept = { path, query };
  const isSet = ({ fields }: Filter): boolean =>
    fields.some(({ name }) => queryOf(visit, name) !== '');
  const stateChips = states.map((one) => {
    const added: Query = one === states[0] ? [] : [['status', one]];
    return html`<li>
      <a
        href="${hrefWithout(kept, ['status'], added)}"
        ${one === status && html`aria-current="true"`}
        >${isAll(one) || kind === undefined ? all : stateName(kind, one)}</a
      >
    </li>`;
  });
  return {
    status,
    asked: {
      ...(!isAll(status) && { status: status as Exclude<Status, All> }),
      ...(Object.assign({}, ...filters.map((filter) => filter.asked)) as FilterQuery),
    },
    chips: html`<nav aria-label="${say('Filtro', 'Filter')}">
      ${
        states.length > 1 &&
        html`<ul class="chips">
          ${stateChips}
        </ul>`
      }
      ${
        filters.length > 0 &&
        html`<ul class="chips">
          ${filters.map((filter) => (isSet(filter) ? setChip(filter, kept) : addChip(filter, kept)))}
          ${filters.some(isSet) && clearChip(kept, names)}
        </ul>`
      }
    </nav>`,
  };
}

function isAll(status: string): boolean {
  return ALL.some((one) => one === status);
}

function hrefWithout({ path, query }: Kept, names: string[], added: Query = []): string {
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

/** A filter by days, how the API is asked for them, and for those before. */
export interface DaysFilter extends Filter {
  asked: FilterQuery;
  earlier: { called: string; asked: { from: string; to: string } } | undefined;
}

/** Days of a list, from one to another, both included, and how the API is asked for them. */
export function daysFilter(visit: Visit): DaysFilter {
  const from = dayIn(visit, 'desde');
  const to = dayIn(visit, 'hasta');
  const texts = [
    from === '' ? '' : say(`Del ${dayOf(from)}`, `From ${dayOf(from)}`),
    to === '' ? '' : say(`al ${dayOf(to)}`, `to ${dayOf(to)}`),
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
function earlierDays(from: string, to: string): DaysFilter['earlier'] {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (!(days >= 1)) return undefined;
  return {
    called:
      days === 1
        ? say('El mismo día de la semana anterior', 'The same day of the week before')
        : say(`Los ${days} días anteriores`, `The ${days} days before`),
    asked:
      days === 1
        ? { from: daysAfter(from, -7), to: daysAfter(from, -6) }
        : { from: daysAfter(from, -days), to: from },
  };
}

/** A filter whose value is one of a list. */
export function choiceFilter(
  visit: Visit,
  name: string,
  label: string,
  choices: ReadonlyArray<readonly [value: string, name: string]>,
): Filter {
  const value = queryOf(visit, name);
  return {
    label,
    fields: [{ name, label, options: choices }],
    text: choices.find(([one]) => one === value)?.[1] ?? value,
  };
}

/** A filter whose value is typed. @param shown what its chip says of a value */
export function textFilter(
  visit: Visit,
  { name, label, inputmode }: Pick<Field, 'name' | 'label' | 'inputmode'>,
  shown: (value: string) => string,
): Filter {
  const value = queryOf(visit, name);
  return {
    label,
    fields: [{ name, label, value, ...(inputmode !== undefined && { inputmode }) }],
    text: `${label} ${shown(value)}`,
  };
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
