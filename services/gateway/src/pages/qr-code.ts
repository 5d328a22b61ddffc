import { Html } from '@fiado/chassis/html';

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
