import { html, Html, NOTHING } from '@fiado/chassis/html';
import type { OpsScope } from '@fiado/contracts/caller';
import { MAX_SEARCH } from '@fiado/contracts/page';
import { csrfField } from './form';
import { mayDo, type Page, type Viewer } from './visit';
import { sayIn, type Language, type Say } from './words';

interface Place {
  path: string;
  name: string;
  role: OpsScope;
}

const placesOf = (say: Say): Place[] => [
  { path: '/', name: say('Inicio', 'Home'), role: 'viewer' },
  { path: '/validacion', name: say('Validación', 'Validation'), role: 'operator' },
  { path: '/aprobaciones', name: say('Aprobaciones', 'Approvals'), role: 'operator' },
  { path: '/tiendas', name: say('Tiendas', 'Stores'), role: 'viewer' },
  { path: '/depositos', name: say('Depósitos', 'Deposits'), role: 'viewer' },
  { path: '/pedidos', name: say('Pedidos', 'Orders'), role: 'viewer' },
  { path: '/cobranza', name: say('Cobranza', 'Collection'), role: 'viewer' },
  { path: '/mensajes', name: say('Mensajes', 'Messages'), role: 'viewer' },
  { path: '/webhooks', name: 'Webhooks', role: 'viewer' },
  { path: '/trabajos', name: say('Trabajos', 'Jobs'), role: 'viewer' },
  { path: '/mayoristas', name: say('Mayoristas', 'Wholesalers'), role: 'viewer' },
  { path: '/auditoria', name: say('Auditoría', 'Audit'), role: 'viewer' },
  { path: '/personal', name: say('Personal', 'Staff'), role: 'admin' },
  { path: '/mis-sesiones', name: say('Mis sesiones', 'My sessions'), role: 'viewer' },
];

/** The whole document of a page. */
export function renderPage(
  { title, content, problem }: Page,
  { language, viewer, path }: { language: Language; viewer?: Viewer | undefined; path: string },
): string {
  const say = sayIn(language);
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Fiado</title>
        <link rel="stylesheet" href="/console.css" />
        <script src="/console.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">${say('Ir al contenido', 'Skip to content')}</a>
        ${viewer === undefined ? NOTHING : header(say, viewer, path)}
        <main id="main" tabindex="-1">
          <h1>${title}</h1>
          ${
            problem === undefined
              ? NOTHING
              : html`<div class="problem" role="alert" tabindex="-1" autofocus>${problem}</div>`
          }
          ${content}
        </main>
      </body>
    </html> `.text;
}

function header(say: Say, viewer: Viewer, path: string): Html {
  const links = placesOf(say)
    .filter(({ role }) => mayDo(viewer, role))
    .map(
      (place) =>
        html`<li><a href="${place.path}" ${isHere(place.path, path)}>${place.name}</a></li>`,
    );
  return html`<header>
    <p class="brand">Fiado</p>
    <nav aria-label="${say('Secciones', 'Sections')}">
      <ul>
        ${links}
      </ul>
    </nav>
    <form method="post" action="/buscar" role="search">
      ${csrfField(viewer)}
      <label class="unseen" for="q">${say('Buscar', 'Search')}</label>
      <input id="q" name="q" type="search" maxlength="${String(MAX_SEARCH)}" required />
      <button class="second">${say('Buscar', 'Search')}</button>
    </form>
    <form method="post" action="/salir">
      ${csrfField(viewer)}
      <p class="who">${viewer.name} · ${viewer.role}</p>
      <button class="second">${say('Salir', 'Sign out')}</button>
    </form>
  </header>`;
}

function isHere(place: string, path: string): Html {
  const here = place === '/' ? path === '/' : path === place || path.startsWith(`${place}/`);
  return here ? new Html(' aria-current="page"') : NOTHING;
}
