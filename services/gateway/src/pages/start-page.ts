import type { RequestHandler } from 'express';
import { html } from '@fiado/chassis/html';
import { sendPage } from './send-page';

/** Passes browsers on. A caller that does not ask for HTML gets the JSON of the next route. */
export const requireBrowser: RequestHandler = (req, _res, next) => {
  if (req.accepts(['json', 'html']) === 'html') next();
  else next('route');
};

/** GET / in a browser: where to go next. */
export const handleShowStart: RequestHandler = (_req, res) => {
  sendPage(res.vary('Accept'), {
    status: 200,
    title: 'Fiado API',
    language: 'en',
    content: html`<p>Fiado lets wholesalers sell on credit to corner stores.</p>
      <ul>
        <li><a href="/docs">API reference</a>: every endpoint, with examples in many languages</li>
        <li><a href="/openapi.json">OpenAPI document</a>: for generated clients</li>
        <li><a href="/health/ready">Health</a>: whether the API can serve requests</li>
      </ul>
      <p class="quiet">
        The API is under <code>/v1</code>. Send your key in the header <code>Authorization</code>.
      </p>
      <p class="quiet" lang="es-MX">
        ¿Recibiste un enlace por SMS? Ábrelo completo, tal como te llegó.
      </p>`,
  });
};
