import { Html, html } from '@fiado/chassis/html';

const moneyFormat = new Intl.NumberFormat('es-MX', { style: 'currency', currency: 'MXN' });
const quantityFormat = new Intl.NumberFormat('es-MX', { maximumFractionDigits: 3 });

/** Pesos as `$1,250.00`. */
export function money(pesos: number): string {
  return moneyFormat.format(pesos);
}

/** Characters of the largest size that fit beside each other on a screen of 320 pixels: `$123,456.78`. */
const LARGE_LENGTH = 11;

/** The amount that a page is about, in one line on each phone. */
export function mainAmount(pesos: number): Html {
  const text = money(pesos);
  return html`<p class="amount${text.length > LARGE_LENGTH ? ' long' : ''}">${text}</p>`;
}

export function quantity(value: number): string {
  return quantityFormat.format(value);
}

/** A moment as its day: `lunes 7 de diciembre de 2026`. */
export function day(moment: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('es-MX', { dateStyle: 'full', timeZone });
  return format.format(new Date(moment)).replace(', ', ' ');
}

/** Digits in groups of four, for reading aloud and copying by hand. */
export function grouped(digits: string): string {
  return digits.replaceAll(/\d{4}(?=\d)/g, '$& ');
}

/** A scanner needs light around the code: four modules, as ISO 18004 asks. */
const QUIET_ZONE = 4;

/**
 * A QR code of a payment reference as inline SVG, which the page's policy allows. Its library is
 * loaded by the first one, because few gateways show any and it is 57 modules.
 */
export async function qrCode(digits: string): Promise<Html> {
  const { toString: draw } = await import('qrcode');
  const svg = await draw(digits, { type: 'svg', errorCorrectionLevel: 'M', margin: QUIET_ZONE });
  const drawn = svg.replace(
    '<svg ',
    '<svg class="qr" role="img" aria-label="Código QR de la referencia" ',
  );
  return new Html(drawn.trim());
}
