import { html, NOTHING, Html, type HtmlValue } from '@fiado/chassis/html';
import type { OpsScope } from '@fiado/contracts/caller';
import { MAX_SEARCH } from '@fiado/contracts/page';
import { csrfField } from './form';
import { mayDo, type Page, type Viewer } from './visit';
import { roleName, say } from './words';

/** A page of the menu; of a role, for those who have it. */
type Place = [path: string, name: string, icon: IconName, role?: OpsScope];

type Group = [name: string, places: Place[]];

const groupsOf = (): Group[] => [
  [
    say('Hoy', 'Today'),
    [
      ['/', say('Inicio', 'Home'), 'home'],
      ['/validacion', say('Validación', 'Validation'), 'check', 'operator'],
      ['/aprobaciones', say('Aprobaciones', 'Approvals'), 'stamp', 'operator'],
    ],
  ],
  [
    say('Tiendas', 'Stores'),
    [
      ['/tiendas', say('Todas las tiendas', 'All stores'), 'store'],
      ['/pedidos', say('Pedidos', 'Orders'), 'receipt'],
      ['/mensajes', say('Mensajes', 'Messages'), 'chat'],
    ],
  ],
  [
    say('Dinero', 'Money'),
    [
      ['/depositos', say('Depósitos', 'Deposits'), 'deposit'],
      ['/cobranza', say('Cobranza', 'Collection'), 'clock'],
      ['/disputas', say('Disputas', 'Disputes'), 'hand'],
      ['/liquidaciones', say('Liquidaciones', 'Statements'), 'notes'],
      ['/facturas', say('Facturas', 'Invoices'), 'receipt'],
      ['/reportes', say('Reportes', 'Reports'), 'chart'],
      ['/exportaciones', say('Exportaciones', 'Exports'), 'file', 'operator'],
      ['/mayoristas', say('Mayoristas', 'Wholesalers'), 'truck'],
      ['/proveedores', say('Proveedores', 'Providers'), 'bank'],
    ],
  ],
  [
    say('Sistema', 'System'),
    [
      ['/webhooks', 'Webhooks', 'hook'],
      ['/trabajos', say('Trabajos', 'Jobs'), 'rows'],
      ['/auditoria', say('Auditoría', 'Audit'), 'shield'],
      ['/privacidad', say('Privacidad', 'Privacy'), 'lock'],
      ['/llaves', say('Llaves', 'Keys'), 'key', 'admin'],
      ['/personal', say('Personal', 'Staff'), 'people', 'admin'],
    ],
  ],
];

interface Around {
  viewer?: Viewer | undefined;
  path: string;
  /** Whether this is a sandbox, which every page says. */
  isSandbox: boolean;
  /** Whether the installation sends no SMS, webhook or invoice, which every page says. */
  isHeld: boolean;
  /** What the form before has done. */
  done?: string | undefined;
}

/** The whole document of a page. */
export function renderPage(page: Page, around: Around): string {
  const { viewer } = around;
  return html`<!doctype html>
    <html lang="${say('es-MX', 'en')}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${page.refresh !== undefined && refreshTag(page.refresh)}
        <title>${page.title} · Fiado</title>
        <link rel="stylesheet" href="/console.css" />
        <script src="/console.js" defer></script>
      </head>
      <body ${viewer === undefined && html`class="alone"`}>
        <a class="skip" href="#main">${say('Ir al contenido', 'Skip to content')}</a>
        ${viewer !== undefined && frame(viewer, around)}
        <main id="main" tabindex="-1">
          ${viewer === undefined && html`<p><span class="brand">Fiado</span></p>`}
          ${
            around.isHeld &&
            html`<p class="notice" role="status">
              ${say(
                'Copia en pausa: no envía SMS, webhooks ni facturas (OUTGOING=held).',
                'Held copy: it sends no SMS, webhooks or invoices (OUTGOING=held).',
              )}
            </p>`
          }
          ${around.done !== undefined && html`<p class="notice done" role="status">${around.done}</p>`}
          ${head(page)}
          ${
            page.problem !== undefined &&
            html`<div class="problem" role="alert" tabindex="-1" autofocus>${page.problem}</div>`
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
function head({ path, title, badge, lead, actions }: Page): Html {
  return html`<div class="head">
    <div>
      ${path !== undefined && html`<p class="path"><a href="${path[0]}">${path[1]}</a></p>`}
      <h1>${title}</h1>
      ${badge} ${lead && html`<p>${lead}</p>`}
    </div>
    ${actions && html`<div class="actions">${actions}</div>`}
  </div>`;
}

/** The bar of a narrow screen, the menu, which a wide screen has at its side, and the search. */
function frame(viewer: Viewer, { path, isSandbox }: Around): Html {
  return html`<header class="bar">
      <a class="brand" href="/">Fiado</a>
      <a href="/buscar" aria-label="${say('Buscar', 'Search')}">${icon('search')}</a>
      <button type="button" popovertarget="menu">${icon('menu')} ${say('Menú', 'Menu')}</button>
    </header>
    <nav class="menu" id="menu" popover aria-label="${say('Secciones', 'Sections')}">
      <div>
        <span class="brand">Fiado</span>
        ${isSandbox && html`<span class="badge warn mode">${say('Pruebas', 'Sandbox')}</span>`}
        <span class="close"
          ><button class="second" type="button" popovertarget="menu" popovertargetaction="hide">
            ${say('Cerrar', 'Close')}
          </button></span
        >
      </div>
      ${groupsOf().map(([name, places]) => group(name, places, viewer, path))}
      <div class="foot">
        <p>
          <strong>${viewer.name}</strong><br /><span class="quiet small"
            >${roleName(viewer.role)}</span
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
    <div class="top">${searchForm(viewer, 'q')}</div>`;
}

function group(name: string, places: Place[], viewer: Viewer, path: string): Html {
  const links = places
    .filter(([, , , role = 'viewer']) => mayDo(viewer, role))
    .map(
      ([href, called, drawing]) =>
        html`<li>
          <a href="${href}" ${isHere(href, path)}>${icon(drawing)}${called}</a>
        </li>`,
    );
  if (links.length === 0) return NOTHING;
  return html`<h2>${name}</h2>
    <ul>
      ${links}
    </ul>`;
}

/** The search, which is a form that is posted: an address may be kept, and this may be a phone. */
export function searchForm(viewer: Viewer, id: string): Html {
  const words = say('Tienda, pedido, factura o teléfono', 'Store, order, invoice or phone');
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

function isHere(place: string, path: string): HtmlValue {
  const here = place === '/' ? path === '/' : path === place || path.startsWith(`${place}/`);
  return here && html` aria-current="page"`;
}

/** Lines of a square of 24. */
const PATHS = {
  home: 'M4 11l8-7 8 7v9h-6v-6h-4v6H4z',
  check: 'M5 12l5 5 9-10',
  stamp: 'M9 4h6v5l-1 4h5v4H5v-4h5L9 9zM5 20h14',
  store: 'M4 9l1-5h14l1 5c0 4-5 4-5 1 0 3-6 3-6 0 0 3-5 3-5-1M5 12v8h14v-8M10 20v-5h4v5',
  receipt: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  chat: 'M4 5h16v11H9l-5 4z',
  deposit: 'M12 4v11M7 10l5 5 5-5M5 20h14',
  clock: 'M12 4a8 8 0 108 8M12 8v4l3 2',
  hand: 'M8 12V6a1 1 0 012 0v5V4a1 1 0 012 0v7V5a1 1 0 012 0v7V8a1 1 0 012 0v7c0 4-2 5-5 5s-4-1-6-4l-2-4a1 1 0 012-1z',
  truck: 'M3 6h11v10H3zM14 9h4l3 4v3h-7M7 20a2 2 0 100-4 2 2 0 000 4M17 20a2 2 0 100-4 2 2 0 000 4',
  chart: 'M4 20h16M7 16v-5M12 16V6M17 16V9',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4M12 10v7M9 14l3 3 3-3',
  hook: 'M9 9a3 3 0 115 0l3 5M12 9l-3 6a3 3 0 11-4-2M17 14a3 3 0 11-3 4H9',
  rows: 'M4 5h16v5H4zM4 14h16v5H4z',
  shield: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM9 12l2 2 4-4',
  notes: 'M3 7h18v10H3zM12 14a2 2 0 100-4 2 2 0 000 4M6 10v4M18 10v4',
  bank: 'M4 9l8-5 8 5zM6 9v8M10 9v8M14 9v8M18 9v8M4 20h16',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 016 0v3',
  key: 'M8 15a4 4 0 110-8 4 4 0 010 8M11 9l9 0M17 9v4M20 9v3',
  people:
    'M9 11a3 3 0 100-6 3 3 0 000 6M3 20c0-4 3-6 6-6s6 2 6 6M16 5a3 3 0 010 6M17 14c3 0 4 3 4 6',
  search: 'M11 18a7 7 0 100-14 7 7 0 000 14M16 16l5 5',
  menu: 'M4 7h16M4 12h16M4 17h16',
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing beside a word, which screen readers leave out. */
export function icon(name: IconName): Html {
  return new Html(
    `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[name]}" /></svg>`,
  );
}
