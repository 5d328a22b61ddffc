import { html, type Html } from '@fiado/chassis/html';
import { EXPORT_KINDS, type ExportKind } from '@fiado/contracts/exports';
import type { Schema } from '@fiado/ops-client/operations';
import { ApiRefusal } from '../api';
import { bodyIn } from '../frame/body';
import { type Choices, dayAfter, dayIn, daysAfter } from '../frame/filters';
import { buttonForm, choice, dateField, form } from '../frame/form';
import { dayAt, dayOf, link } from '../frame/formats';
import { card, partOf, table } from '../frame/parts';
import { firstPage } from '../frame/read';
import { wholesalerChoices, wholesalerField, wholesalerNames } from '../frame/names';
import { act, change, show, type Route } from '../frame/serve';
import { fieldOf, idOf, type Page, type Visit } from '../frame/visit';
import { say, naming, type Words } from '../frame/words';

const exportsPage = show('/exportaciones', showExports);

export const exportRoutes: Route[] = [
  exportsPage,
  change(exportsPage, '', 'exportando', ({ visit }) => startExport(visit)),
  act('/exportaciones/:exportKind/:exportId/descargar', downloadExport, showExports),
  change(exportsPage, ':exportKind/:exportId/revocar', 'enlaces', ({ ops, ids }) =>
    ops.exports.unlink(kindOf(ids.exportKind), ids.exportId),
  ),
];

/** The period of the button that exports last week, whatever days are typed. */
const LAST_WEEK = 'last-week';

/** Exports of each kind that the page shows. */
const SHOWN_OF_KIND = 5;

/** The page is read again while an export is made, so that its rows are seen to rise. */
const REFRESH_SECONDS = 4;

/** The API takes a period that ends ten minutes ago at the latest. */
const SETTLED_MS = 11 * 60_000;

/** What an export has; a kind of a later release keeps its own name. */
export const exportName = naming({
  orders: ['Pedidos', 'Orders'],
  'credit-notes': ['Notas de crédito', 'Credit notes'],
  'statement-lines': ['Renglones de liquidaciones', 'Lines of statements'],
  invoices: ['Comprobantes', 'Tax documents'],
  debts: ['Adeudos', 'Debts'],
  deposits: ['Depósitos', 'Deposits'],
  'ledger-entries': ['Movimientos', 'Ledger entries'],
} satisfies Words<ExportKind>);

/** A new export, with last week as its period, and the exports that there are. */
async function showExports(visit: Visit): Promise<Page> {
  const [wholesalers, ...lists] = await Promise.all([
    wholesalerChoices(visit),
    ...EXPORT_KINDS.map((kind) =>
      firstPage(visit.viewer.ops.exports.list(kind, { limit: SHOWN_OF_KIND })),
    ),
  ]);
  const shown = lists
    .flatMap(({ exports }) => exports)
    .toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
  const isMade = shown.some(({ status }) => status === 'waiting' || status === 'running');
  const lastWeek = weekBefore();
  return {
    title: say('Exportaciones', 'Exports'),
    lead: say(
      'Archivos para hojas de cálculo, con el nombre de cada tienda y sumas al final. El día de hoy llega hasta hace diez minutos. Se borran a las 72 horas.',
      'Files for spreadsheets, with the name of each store and sums at the end. Today is in them up to ten minutes ago. They are deleted after 72 hours.',
    ),
    ...(isMade && visit.req.method === 'GET' && { refresh: { seconds: REFRESH_SECONDS } }),
    content: html`${card(
      say('Nueva exportación', 'New export'),
      form(visit, {
        action: '/exportaciones',
        button: say('Exportar', 'Export'),
        other: { label: say('La semana pasada', 'Last week'), name: 'period', value: LAST_WEEK },
        fields: [
          choice(say('Qué', 'What'), EXPORT_KINDS, (kind) => exportName(kind), 'exportKind'),
          dateField('from', say('Desde el día', 'From'), dayIn(visit, 'desde') || lastWeek.from),
          dateField('to', say('Hasta el día', 'To'), dayIn(visit, 'hasta') || lastWeek.to),
          wholesalerField(visit, wholesalers),
          {
            name: 'format',
            label: say('Formato', 'Format'),
            options: [
              ['people', say('Hoja de cálculo', 'Spreadsheet')],
              ['csv', say('CSV, para programas', 'CSV, for programs')],
              ['jsonl', say('JSON, para programas', 'JSON, for programs')],
            ],
          },
        ],
      }),
    )}
    ${partOf(say('Archivos', 'Files'), await exportsTable(visit, shown, wholesalers))}`,
  };
}

/** The week before this one, from Monday to Sunday, in the lender's days. */
function weekBefore(): { from: string; to: string } {
  const today = dayAt(new Date().toISOString());
  const weekday = (new Date(today).getUTCDay() + 6) % 7;
  const from = daysAfter(today, -weekday - 7);
  return { from, to: daysAfter(from, 6) };
}

async function exportsTable(
  visit: Visit,
  shown: Array<Schema<'Export'>>,
  wholesalers: Choices,
): Promise<Html> {
  const { viewer } = visit;
  const ids = shown.flatMap(({ wholesalerId }) => wholesalerId ?? []);
  const names = await wholesalerNames(visit, wholesalers, ids);
  return table(
    say('Archivos', 'Files'),
    [
      [say('Qué', 'What'), ({ exportKind }) => exportName(exportKind), 'name'],
      [
        say('Días', 'Days'),
        ({ from, to }) => `${dayOf(dayAt(from))} – ${dayOf(dayAt(lastMoment(to)))}`,
      ],
      [
        say('Mayorista', 'Wholesaler'),
        ({ wholesalerId }) =>
          wholesalerId === null
            ? say('Todos', 'All')
            : link(`/mayoristas/${wholesalerId}`, names.get(wholesalerId) ?? wholesalerId),
      ],
      [say('Estado', 'State'), 'status', 'export'],
      [say('Renglones', 'Rows'), ({ rows }) => rows.toLocaleString('es-MX'), 'figure'],
      [say('Pedida', 'Requested'), 'createdAt', 'when'],
      [
        say('Acción', 'Action'),
        ({ exportKind, exportId, status }) => {
          if (status !== 'ready') return undefined;
          const path = `/exportaciones/${exportKind}/${exportId}`;
          return [
            buttonForm(viewer, `${path}/descargar`, say('Descargar', 'Download'), 'main'),
            buttonForm(viewer, `${path}/revocar`, say('Revocar enlaces', 'Revoke links')),
          ];
        },
      ],
    ],
    shown,
    { empty: say('Todavía no hay exportaciones.', 'There are no exports yet.') },
  );
}

/** The end of a period belongs to the next day. */
function lastMoment(to: string): string {
  return new Date(Date.parse(to) - 1).toISOString();
}

function kindOf(text: string): ExportKind {
  const kind = EXPORT_KINDS.find((one) => one === text);
  if (kind === undefined) throw new ApiRefusal(404, 'EXPORT_NOT_FOUND', 'no such kind');
  return kind;
}

async function startExport(visit: Visit): Promise<void> {
  const body = bodyIn(visit, 'startExport');
  const isLastWeek = fieldOf(visit, 'period') === LAST_WEEK;
  const { from, to } = isLastWeek ? weekBefore() : { ...body, to: fieldOf(visit, 'to') };
  const next = /^\d{4}-\d{2}-\d{2}$/.test(to) ? dayAfter(to) : to;
  const settled = new Date(Date.now() - SETTLED_MS).toISOString();
  await visit.viewer.ops.exports.start(kindOf(fieldOf(visit, 'exportKind')), {
    ...body,
    from,
    // A day that is not over, or was just now: up to what the API takes.
    to: next > dayAt(settled) ? settled : next,
  });
}

/** Makes a link and opens it. A form may not lead to another host, so the page does. */
async function downloadExport(visit: Visit): Promise<Page> {
  const { viewer } = visit;
  const kind = kindOf(idOf(visit, 'exportKind'));
  const { url } = await viewer.ops.exports.link(kind, idOf(visit, 'exportId'));
  return {
    title: say('Tu descarga', 'Your download'),
    path: ['/exportaciones', say('Exportaciones', 'Exports')],
    lead: say(
      'Empieza en un momento. El enlace sirve 15 minutos, sin contraseña: no lo compartas.',
      'It begins in a moment. The link works for 15 minutes, without a password: do not share it.',
    ),
    refresh: { seconds: 1, url },
    content: html`<p><a class="button" href="${url}">${say('Descargar', 'Download')}</a></p>`,
  };
}
