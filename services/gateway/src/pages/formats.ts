const moneyFormat = new Intl.NumberFormat('es-MX', { style: 'currency', currency: 'MXN' });
const quantityFormat = new Intl.NumberFormat('es-MX', { maximumFractionDigits: 3 });

/** Pesos as `$1,250.00`. */
export function money(pesos: number): string {
  return moneyFormat.format(pesos);
}

export function quantity(value: number): string {
  return quantityFormat.format(value);
}

/** A moment as its day: `lunes, 7 de diciembre de 2026`. */
export function day(moment: string, timeZone: string): string {
  return new Intl.DateTimeFormat('es-MX', { dateStyle: 'full', timeZone }).format(new Date(moment));
}

/** Digits in groups of four, for reading aloud and copying by hand. */
export function grouped(digits: string): string {
  return digits.replaceAll(/\d{4}(?=\d)/g, '$& ');
}
