import { html } from '@fiado/chassis/html';
import type { AccountsConfig } from '../config';

/** The page of a package, for the person who asked for it. */
export function readmeOf({ TIME_ZONE: timeZone }: AccountsConfig, madeAt: Date): string {
  const date = madeAt.toLocaleDateString('es-MX', { dateStyle: 'long', timeZone });
  return html`<!doctype html>
    <html lang="es-MX">
      <meta charset="utf-8" />
      <title>Tus datos personales</title>
      <h1>Tus datos personales</h1>
      <p>Esta es una copia de los datos que guardamos de ti y de tu tienda al ${date}.</p>
      <ul>
        <li>
          <b>data.json</b>: tus datos, tus pedidos, tus adeudos, tus pagos y los mensajes que te
          enviamos. Se abre con cualquier editor de texto. Los importes que terminan en
          <i>Cents</i> están en centavos.
        </li>
        <li><b>imagenes</b>: las fotos que enviaste al abrir tu cuenta.</li>
      </ul>
      <p>
        Los teléfonos de tus contactos aparecen incompletos, porque son datos de otras personas.
      </p>
      <p>
        Si algún dato está mal, pide que lo corrijamos. También puedes pedir que cancelemos tus
        datos u oponerte a su uso.
      </p>
    </html> `.text;
}
