import { html } from '@fiado/chassis/html';
import type { Page } from './layout';

export const AWAY_PAGE: Page = {
  status: 503,
  title: 'No pudimos atenderte ahora',
  content: html`<p>
    Espera un momento y vuelve a abrir el enlace que te llegó. Si ya habías escrito tu clave, ahí
    verás si tu pedido quedó confirmado.
  </p>`,
};

export const TOO_FAST_PAGE: Page = {
  status: 429,
  title: 'Hay demasiadas visitas',
  content: html`<p>Espera un momento y vuelve a intentarlo.</p>`,
};

export const TOO_LONG_PAGE: Page = {
  status: 413,
  title: 'Lo que enviaste pesa demasiado',
  content: html`<p>
    Vuelve a abrir el enlace que te llegó e inténtalo otra vez. Si es una foto, tómala con menos
    calidad.
  </p>`,
};

export const NOT_UNDERSTOOD_PAGE: Page = {
  status: 400,
  title: 'No entendimos lo que enviaste',
  content: html`<p>Vuelve a abrir el enlace que te llegó e inténtalo otra vez.</p>`,
};

export const NO_SUCH_PAGE: Page = {
  status: 404,
  title: 'Esta página no existe',
  content: html`<p>Revisa que el enlace esté completo, tal como te llegó.</p>`,
};

export const FAILURE_PAGE: Page = {
  status: 500,
  title: 'Algo salió mal de nuestro lado',
  content: html`<p>Vuelve a abrir el enlace más tarde.</p>`,
};
