import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import { centsOf } from '@fiado/contracts/money';

/** The lender's: one for the process, as its pages are those of one lender. */
let zoneOfLender = 'America/Mexico_City';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const ABSENT = '—';

/** Sets the time zone of the lender, in which pages show days and hours. */
export function useTimeZone(name: string): void {
  zoneOfLender = name;
}

export function lenderTimeZone(): string {
  return zoneOfLender;
}

/** A time for a person, such as 23 nov, 1:52 p.m.; with its year when that is another one. */
export function timeOf(iso: unknown): string {
  if (typeof iso !== 'string') return ABSENT;
  return `${dateIn(iso, zoneOfLender)}, ${clockOf(iso)}`;
}

/** A time as an element that names the exact moment. */
export function when(iso: unknown): Html {
  if (typeof iso !== 'string') return html`${ABSENT}`;
  return html`<time datetime="${iso}">${timeOf(iso)}</time>`;
}

/** The hour of a time, such as 1:52 p.m. */
export function clockOf(iso: string): string {
  const style = { hour: 'numeric', minute: '2-digit', timeZone: zoneOfLender } as const;
  return new Intl.DateTimeFormat('es-MX', { ...style, hour12: true }).format(new Date(iso));
}

/** The day of a time, such as 2026-11-23: the lender's, or that of another time zone. */
export function dayAt(iso: string, timeZone = zoneOfLender): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(iso));
}

/** A day such as 2026-11-22. */
export function dayOf(day: string): string {
  return dateIn(`${day}T12:00:00Z`, 'UTC');
}

/** A Mexican number as people write it, such as 55 1234 5678; any other, or a masked one, as it is. */
export function phoneOf(phone: string): string {
  return phone
    .replace(/^\+52(33|55|56|81)(\d{4})(\d{4})$/, '$1 $2 $3')
    .replace(/^\+52(\d{3})(\d{3})(\d{4})$/, '$1 $2 $3');
}

/** How long ago, or in how long, such as hace 2 h or en 3 días. */
export function agoOf(iso: string, language: string, now = Date.now()): string {
  const ms = Date.parse(iso) - now;
  const size = Math.abs(ms);
  const format = new Intl.RelativeTimeFormat(language, { style: 'short' });
  if (size < MINUTE_MS) {
    return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second');
  }
  if (size < HOUR_MS) return format.format(Math.trunc(ms / MINUTE_MS), 'minute');
  if (size < DAY_MS) return format.format(Math.trunc(ms / HOUR_MS), 'hour');
  return format.format(Math.trunc(ms / DAY_MS), 'day');
}

/** The last day to pay of an order or a debt, in the calendar of its store. */
export function lastDayOf(due: { paymentDate?: unknown; paymentTimeZone?: unknown }): string {
  const { paymentDate, paymentTimeZone: timeZone } = due;
  if (typeof paymentDate !== 'string' || typeof timeZone !== 'string') return ABSENT;
  return dateIn(paymentDate, timeZone);
}

function dateIn(iso: string, timeZone: string): string {
  const at = new Date(iso);
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone }).format(at);
  const isThisYear = year === String(new Date().getFullYear());
  const style = { day: 'numeric', month: 'short', timeZone } as const;
  const format = new Intl.DateTimeFormat(
    'es-MX',
    isThisYear ? style : { ...style, year: 'numeric' },
  );
  return format.format(at);
}

/** The hour of the lender's day, 0 to 23. */
export function hourOf(iso: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone: zoneOfLender });
  return Number(format.format(new Date(iso)));
}

/** Such as 1 pedido or 1,234 pedidos. */
export function numbered(count: number, one: string, many: string): string {
  return `${count.toLocaleString('es-MX')} ${count === 1 ? one : many}`;
}

/** An amount with a true minus sign. */
export function pesosOf(amount: unknown): string {
  if (typeof amount !== 'number') return ABSENT;
  const format = new Intl.NumberFormat('es-MX', { style: 'currency', currency: 'MXN' });
  // A sum that was negated may be -0.
  return format.format(amount + 0).replace('-', '−');
}

/** A sum of amounts in pesos, without what floating point adds. */
export function sumOf<Row>(rows: readonly Row[], amountIn: (row: Row) => number = Number): number {
  return rows.reduce((cents, row) => cents + centsOf(amountIn(row)), 0) / 100;
}

/** A rate such as 0.05, as a percentage. */
export function percentOf(rate: unknown): string {
  if (typeof rate !== 'number') return ABSENT;
  const style = { style: 'percent', maximumFractionDigits: 4 } as const;
  return new Intl.NumberFormat('es-MX', style).format(rate).replaceAll(/\s/g, '');
}

/** A value of the API as text; absent is a dash. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return ABSENT;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A reference of digits in fours, as people read them. */
export function inFours(reference: unknown): string {
  const text = textOf(reference);
  return /^\d{8,}$/.test(text) ? text.replaceAll(/\d{4}(?=\d)/g, '$& ') : text;
}

/** Letters of a name that a row shows; a longer one ends in dots, with the whole of it in its title. */
const SHOWN_OF_NAME = 40;

/** A name in a row. */
export function named(name: string): string | Html {
  return name.length <= SHOWN_OF_NAME
    ? name
    : html`<span class="ends" title="${name}">${name}</span>`;
}

/** Rows by what they have in common, in the order in which that came first. */
export function groupedBy<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Array<[key: string, rows: Row[]]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return [...groups];
}

/** A link. */
export function link(href: string, text: string | Html): Html {
  return html`<a href="${href}">${text}</a>`;
}

/** A link that looks like a button. @param name for who hears it alone, where the text does not say it all */
export function buttonLink(href: string, text: string, name?: string): Html {
  const label = name !== undefined && html`aria-label="${name}"`;
  return html`<a class="button second" ${label} href="${href}">${text}</a>`;
}

/** Lines without marks; nothing for none. */
export function plainList(lines: ReadonlyArray<string | Html>): HtmlValue {
  return (
    lines.length > 0 &&
    html`<ul class="plain">
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>`
  );
}

/** Whether a value is an id of Fiado, which says nothing to a reader. */
export function isId(value: unknown): boolean {
  return typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
}

/** An id that the script shortens and offers to copy; without it the whole id. */
export function copyable(id: string): Html {
  return html`<code data-copy="${id}">${id}</code>`;
}

/**
 * An amount as people type it: 25000, 25,000 or $25,000.50. Other text stays as it is, so that the
 * API refuses it.
 */
export function amountIn(text: string): number | string {
  const digits = text.replaceAll(/[\s$]/g, '');
  if (!/^(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/.test(digits)) return text;
  return Number(digits.replaceAll(',', ''));
}

/**
 * As amountIn, for a field that a request needs. Other text is NaN: JSON has null for it, which the API
 * refuses.
 */
export function neededAmountIn(text: string): number {
  const amount = amountIn(text);
  return typeof amount === 'number' ? amount : Number.NaN;
}

/** A rate as people type it, in percent: 5, 5.5 or 5.5%. Other text stays as it is. */
export function rateIn(text: string): number | string {
  const digits = /^(\d+(?:\.\d+)?)\s*%?$/.exec(text)?.[1];
  return digits === undefined ? text : Number((Number(digits) / 100).toFixed(8));
}

/** The inverse of rateIn, for a field. */
export function percentText(rate: number): string {
  return String(Number((rate * 100).toFixed(6)));
}
