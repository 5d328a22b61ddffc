import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { OpsScope } from '@fiado/contracts/caller';
import { MAX_SEARCH } from '@fiado/contracts/page';
import { csrfField } from './form';
import { icon, type IconName } from './icons';
import { mayDo, type Page, type Viewer } from './visit';
import { roleName, sayIn, type Language, type Say } from './words';

interface Place {
  path: string;
  name: string;
  icon: IconName;
  role?: OpsScope;
}

type Group = [name: string, places: Place[]];

const groupsOf = (say: Say): Group[] => [
  [
    say('Hoy', 'Today'),
    [
      { path: '/', name: say('Inicio', 'Home'), icon: 'home' },
      {
        path: '/validacion',
        name: say('Validación', 'Validation'),
        icon: 'check',
        role: 'operator',
      },
      {
        path: '/aprobaciones',
        name: say('Aprobaciones', 'Approvals'),
        icon: 'stamp',
        role: 'operator',
      },
    ],
  ],
  [
    say('Tiendas', 'Stores'),
    [
      { path: '/tiendas', name: say('Todas las tiendas', 'All stores'), icon: 'store' },
      { path: '/pedidos', name: say('Pedidos', 'Orders'), icon: 'receipt' },
      { path: '/mensajes', name: say('Mensajes', 'Messages'), icon: 'chat' },
    ],
  ],
  [
    say('Dinero', 'Money'),
    [
      { path: '/depositos', name: say('Depósitos', 'Deposits'), icon: 'deposit' },
      { path: '/cobranza', name: say('Cobranza', 'Collection'), icon: 'clock' },
      { path: '/liquidaciones', name: say('Liquidaciones', 'Statements'), icon: 'notes' },
      { path: '/reportes', name: say('Reportes', 'Reports'), icon: 'chart' },
      {
        path: '/exportaciones',
        name: say('Exportaciones', 'Exports'),
        icon: 'file',
        role: 'operator',
      },
      { path: '/mayoristas', name: say('Mayoristas', 'Wholesalers'), icon: 'truck' },
      { path: '/proveedores', name: say('Proveedores', 'Providers'), icon: 'bank' },
    ],
  ],
  [
    say('Sistema', 'System'),
    [
      { path: '/webhooks', name: 'Webhooks', icon: 'hook' },
      { path: '/trabajos', name: say('Trabajos', 'Jobs'), icon: 'rows' },
      { path: '/auditoria', name: say('Auditoría', 'Audit'), icon: 'shield' },
      { path: '/privacidad', name: say('Privacidad', 'Privacy'), icon: 'lock' },
      { path: '/llaves', name: say('Llaves', 'Keys'), icon: 'key', role: 'admin' },
      { path: '/personal', name: say('Personal', 'Staff'), icon: 'people', role: 'admin' },
    ],
  ],
];

interface Around {
  language: Language;
  viewer?: Viewer | undefined;
  path: string;
  /** Whether this is a sandbox, which every page says. */
  isSandbox: boolean;
  /** What the form before has done. */
  done?: string | undefined;
}

/** The whole document of a page. */
export function renderPage(page: Page, around: Around): string {
  const { language, viewer } = around;
  const say = sayIn(language);
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${page.refresh === undefined ? NOTHING : refreshTag(page.refresh)}
        <title>${page.title} · Fiado</title>
        <link rel="stylesheet" href="/console.css" />
        <script src="/console.js" defer></script>
      </head>
      <body ${viewer === undefined ? html`class="alone"` : NOTHING}>
        <a class="skip" href="#main">${say('Ir al contenido', 'Skip to content')}</a>
        ${viewer === undefined ? NOTHING : frame(say, viewer, around)}
        <main id="main" tabindex="-1">
          ${viewer === undefined ? html`<p><span class="brand">Fiado</span></p>` : NOTHING}
          ${around.done === undefined ? NOTHING : html`<p class="notice done" role="status">${around.done}</p>`}
          ${head(page)}
          ${
            page.problem === undefined
              ? NOTHING
              : html`<div class="problem" role="alert" tabindex="-1" autofocus>
                  ${page.problem}
                </div>`
          }
          ${page.content}
        </main>
      </body>
    </html> `.text;
}

function refreshTag({ seconds, url }: NonNullable<Page['refresh']>): Html {
  const then = url === undefined ? '' : `; url=${url}`;
  return html`<meta http-equiv="refresh" content="${String(seconds)}${then}" />`;
}

/** Where the page is, its title and state, what it is about, and what can be done. */
function head({ path, title, badge = NOTHING, lead, actions = NOTHING }: Page): Html {
  return html`<div class="head">
    <div>
      ${path === undefined ? NOTHING : html`<p class="path"><a href="${path[0]}">${path[1]}</a></p>`}
      <h1>${title}</h1>
      ${badge} ${lead === undefined ? NOTHING : html`<p>${lead}</p>`}
    </div>
    ${actions === NOTHING ? NOTHING : html`<div class="actions">${actions}</div>`}
  </div>`;
}

/** The bar of a narrow screen, the menu, which a wide screen has at its side, and the search. */
function frame(say: Say, viewer: Viewer, { path, isSandbox }: Around): Html {
  return html`<header class="bar">
      <a class="brand" href="/">Fiado</a>
      <a href="/buscar" aria-label="${say('Buscar', 'Search')}">${icon('search')}</a>
      <button type="button" popovertarget="menu">${icon('menu')} ${say('Menú', 'Menu')}</button>
    </header>
    <nav class="menu" id="menu" popover aria-label="${say('Secciones', 'Sections')}">
      <div>
        <span class="brand">Fiado</span>
        ${isSandbox ? html`<span class="badge warn mode">${say('Pruebas', 'Sandbox')}</span>` : NOTHING}
        <span class="close"
          ><button class="second" type="button" popovertarget="menu" popovertargetaction="hide">
            ${say('Cerrar', 'Close')}
          </button></span
        >
      </div>
      ${groupsOf(say).map(([name, places]) => group(name, places, viewer, path))}
      <div class="foot">
        <p>
          <strong>${viewer.name}</strong><br /><span class="quiet small"
            >${roleName(viewer.role, say)}</span
          >
        </p>
        <div>
          <a href="/mis-sesiones" ${isHere('/mis-sesiones', path)}
            >${say('Mis sesiones', 'My sessions')}</a
          >
          <form method="post" action="/salir">
            ${csrfField(viewer)}<button class="second">${say('Salir', 'Sign out')}</button>
          </form>
        </div>
      </div>
    </nav>
    <div class="top">${searchForm(say, viewer, 'q')}</div>`;
}

function group(name: string, places: Place[], viewer: Viewer, path: string): Html {
  const links = places
    .filter(({ role = 'viewer' }) => mayDo(viewer, role))
    .map(
      (place) =>
        html`<li>
          <a href="${place.path}" ${isHere(place.path, path)}>${icon(place.icon)}${place.name}</a>
        </li>`,
    );
  if (links.length === 0) return NOTHING;
  return html`<h2>${name}</h2>
    <ul>
      ${links}
    </ul>`;
}

/** The search, which is a form that is posted: an address may be kept, and this may be a phone. */
export function searchForm(say: Say, viewer: Viewer, id: string): Html {
  const words = say('Tienda, pedido, referencia o teléfono', 'Store, order, reference or phone');
  return html`<form
    method="post"
    action="/buscar"
    role="search"
    aria-label="${id === 'q' ? say('Buscar', 'Search') : words}"
  >
    ${csrfField(viewer)}
    <label class="unseen" for="${id}">${words}</label>
    ${icon('search')}
    <input
      id="${id}"
      name="q"
      type="search"
      placeholder="${words}"
      maxlength="${String(MAX_SEARCH)}"
      required
    />
    <kbd aria-hidden="true">/</kbd>
    <button class="unseen">${say('Buscar', 'Search')}</button>
  </form>`;
}

function isHere(place: string, path: string): Html {
  const here = place === '/' ? path === '/' : path === place || path.startsWith(`${place}/`);
  return here ? html` aria-current="page"` : NOTHING;
}
