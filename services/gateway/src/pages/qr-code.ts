import { toString as draw } from 'qrcode';
import { Html } from './html';

/** A scanner needs light around the code: four modules, as ISO 18004 asks. */
const QUIET_ZONE = 4;

/** A QR code of a payment reference as inline SVG, which the page's policy allows. */
export async function qrCode(digits: string): Promise<Html> {
  const svg = await draw(digits, { type: 'svg', errorCorrectionLevel: 'M', margin: QUIET_ZONE });
  const drawn = svg.replace(
    '<svg ',
    '<svg class="qr" role="img" aria-label="Código QR de la referencia" ',
  );
  return new Html(drawn.trim());
}
