/** The lender's. */
const TIME_ZONE = 'America/Mexico_City';

/** A time for a person, in the lender's time zone. */
export function timeOf(iso: unknown): string {
  if (typeof iso !== 'string') return '—';
  return new Intl.DateTimeFormat('es-MX', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: TIME_ZONE,
  }).format(new Date(iso));
}

/** A day such as 2026-11-22. */
export function dayOf(day: string): string {
  const format = new Intl.DateTimeFormat('es-MX', { dateStyle: 'medium', timeZone: 'UTC' });
  return format.format(new Date(day));
}

/** The last day to pay of an order or a debt, in the calendar of its store. */
export function lastDayOf(due: { paymentDate?: unknown; paymentTimeZone?: unknown }): string {
  const { paymentDate, paymentTimeZone: timeZone } = due;
  if (typeof paymentDate !== 'string' || typeof timeZone !== 'string') return '—';
  return new Intl.DateTimeFormat('es-MX', { dateStyle: 'medium', timeZone }).format(
    new Date(paymentDate),
  );
}

/** The hour of the lender's day, 0 to 23. */
export function hourOf(iso: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone: TIME_ZONE });
  return Number(format.format(new Date(iso)));
}

export function pesosOf(amount: unknown): string {
  if (typeof amount !== 'number') return '—';
  return new Intl.NumberFormat('es-MX', { style: 'currency', currency: 'MXN' }).format(amount);
}

/** A rate such as 0.05, as a percentage. */
export function percentOf(rate: unknown): string {
  if (typeof rate !== 'number') return '—';
  const style = { style: 'percent', maximumFractionDigits: 4 } as const;
  return new Intl.NumberFormat('es-MX', style).format(rate);
}

/** A value of the API as text; absent is a dash. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
