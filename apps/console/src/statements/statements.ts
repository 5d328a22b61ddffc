import { fileColumns, type PeopleColumn } from '@fiado/chassis/exports/people-file';
import { html, type Html } from '@fiado/chassis/html';
import { centsOf } from '@fiado/contracts/money';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { dayAfter, daysFilter, listFilters } from '../frame/filters';
import { dateField, foldedForm } from '../frame/form';
import { dayAt, link, named, pesosOf } from '../frame/formats';
import { filedList, type FiledListing } from '../frame/list-file';
import { type Columns, tablePart } from '../frame/lists';
import {
  wholesalerChoices,
  type WholesalerChoices,
  wholesalerField,
  wholesalerFilter,
} from '../frame/names';
import { sendFile } from '../frame/send-file';
import { act, change, type Route, show } from '../frame/serve';
import { chooseColumn, chooseForm } from '../frame/several';
import { fieldOf, mayDo, queryOf, type Redirect, type Visit } from '../frame/visit';
import { say, stateBadge, stateColumn } from '../frame/words';
import { owed } from '../orders/collection';
import { adjust, draftLink, showDraft } from './draft';
import { paySeveral, SEVERAL, showSeveral } from './pay-several';
import { complementsNote, csvLink, daysOf, showStatement, wholesalerAndNumber } from './statement';

const statement = show('/liquidaciones/:statementId', showStatement);
const draft = show('/liquidaciones/mayorista/:wholesalerId', showDraft);

const [list, file] = filedList('/liquidaciones', statementsOf);

export const statementRoutes: Route[] = [
  list,
  file,
  act('/liquidaciones', closeStatements, list.page),
  show(SEVERAL, showSeveral),
  act(SEVERAL, paySeveral),
  statement,
  sendFile('/liquidaciones/:statementId/renglones.csv', {
    type: 'csv',
    notFound: 'STATEMENT_NOT_FOUND',
    from: (id) => `/v1/admin/statements/${id}/lines.csv?format=people`,
  }),
  ...(['xml', 'pdf'] as const).map((format) =>
    sendFile(`/liquidaciones/:statementId/comision.${format}`, {
      type: format,
      notFound: 'INVOICE_FILE_NOT_FOUND',
      from: (id) => `/v1/admin/statements/${id}/commission-invoice/file?format=${format}`,
    }),
  ),
  change(statement, 'pagada', 'guardado', 'markStatementPaid'),
  change(statement, 'devuelta', 'guardado', 'markStatementReturned'),
  draft,
  change(draft, '', 'guardado', ({ visit, ids, once }) => adjust(visit, ids.wholesalerId, once)),
];

const STATES = ['todos', 'closed', 'paid'] as const;

const SORTS = ['-closedAt', 'closedAt'] as const;

type Statements = AnswerOf<'listOpsStatements'>;
type Listed = Statements['statements'][number];

/** Statements of all wholesalers, the newest first: each with its spreadsheet. */
async function statementsOf(
  visit: Visit,
): Promise<FiledListing<Statements, Listed, (typeof SORTS)[number]>> {
  const { viewer } = visit;
  const wholesalers = await wholesalerChoices(visit);
  const days = daysFilter(visit);
  const { asked, chips } = listFilters(visit, '/liquidaciones', {
    states: STATES,
    kind: 'statement',
    all: say('Todas', 'All'),
    filters: [wholesalerFilter(visit, wholesalers), days],
  });
  const wholesalerId = queryOf(visit, 'mayorista');
  const pays = asked.status === 'closed' && mayDo(viewer, 'approver');
  return {
    title: say('Liquidaciones', 'Statements'),
    sorts: SORTS,
    counted: [say('liquidación', 'statement'), say('liquidaciones', 'statements')],
    after:
      pays &&
      chooseForm(SEVERAL, say('Marcar las elegidas como pagadas', 'Mark the chosen as paid')),
    lead: say(
      'Lo que se debe a cada mayorista por lo que entregó.',
      'What is owed to each wholesaler for what it delivered.',
    ),
    actions: wholesalerId !== '' && draftLink(wholesalerId),
    list: (page) => viewer.ops.statements.list({ ...asked, ...page }),
    rowsOf: ({ statements }) => statements,
    before: async () =>
      html`${chips} ${mayDo(viewer, 'operator') && closeForm(visit, wholesalers)}
      ${asked.status === 'closed' && wholesalerId === '' && (await toPayPart(visit))}`,
    empty: say('Ninguna liquidación así.', 'No such statement.'),
    columns: columnsOf(pays),
    file: {
      name: 'liquidaciones',
      columns: FILE_COLUMNS,
      sumsBy: FILE_STATE,
      rowsOf: ({ statements }) => statements,
    },
  };
}

function columnsOf(pays: boolean): Columns<Listed> {
  return [
    wholesalerAndNumber(),
    [say('Días', 'Days'), (statement) => daysOf(statement)],
    [say('Cerrada', 'Closed'), 'closedAt', 'when'],
    [
      say('Estado', 'State'),
      ({ status: one, pendingComplements }) =>
        html`${stateBadge('statement', one)} ${complementsNote(pendingComplements)}`,
      'state',
    ],
    [say('Entregas y correcciones', 'Deliveries and corrections'), 'grossAmount', 'figure'],
    [say('A pagar', 'Due'), ({ amountDue }) => owed(amountDue), 'money'],
    [say('Hoja', 'Spreadsheet'), (statement) => csvLink(statement)],
    pays &&
      chooseColumn('liquidacion', ({ statementId, wholesaler, number }) => ({
        id: statementId,
        called: `${wholesaler} ${number}`,
      })),
  ];
}

const FILE_STATE = stateColumn('statement');

const FILE_COLUMNS: PeopleColumn[] = [
  ...fileColumns({ wholesaler: 'Mayorista', number: 'Número' }),
  ...fileColumns({ periodFrom: 'Desde', periodTo: 'Antes de' }, 'time'),
  FILE_STATE,
  { field: 'closedAt', heading: 'Cerrada el', kind: 'time' },
  { field: 'paidOn', heading: 'Pagada el', kind: 'day' },
  { field: 'bankReference', heading: 'Referencia del banco' },
  ...fileColumns({ grossAmount: 'Entregas y correcciones', commission: 'Comisión' }, 'amount'),
  { field: 'commissionIVA', heading: 'IVA de la comisión', kind: 'amount' },
  ...fileColumns({ openingBalance: 'Saldo anterior', amountDue: 'A pagar' }, 'amount'),
  { field: 'statementId', heading: 'Id de la liquidación' },
];

/** Statements that are added up, the newest. */
const MAX_ADDED = 500;

interface ToPay {
  wholesalerId: string;
  wholesaler: string;
  statements: number;
  cents: number;
}

/** What is to be paid to each wholesaler, the most first. */
async function toPayPart({ viewer }: Visit): Promise<Html> {
  const sums = new Map<string, ToPay>();
  let [added, isCut] = [0, false];
  for await (const statement of viewer.ops.statements.list({ status: 'closed', limit: 100 })) {
    isCut = added === MAX_ADDED;
    if (isCut) break;
    added += 1;
    const { wholesalerId, wholesaler, amountDue } = statement;
    const sum = sums.get(wholesalerId) ?? { wholesalerId, wholesaler, statements: 0, cents: 0 };
    sum.statements += 1;
    sum.cents += centsOf(amountDue);
    sums.set(wholesalerId, sum);
  }
  const rows = [...sums.values()].toSorted((one, other) => other.cents - one.cents);
  const total = pesosOf(rows.reduce((sum, { cents }) => sum + cents, 0) / 100);
  return tablePart<ToPay>({
    title: say(`Por pagar: ${total}`, `To be paid: ${total}`),
    note:
      isCut &&
      say(
        `De las ${MAX_ADDED} liquidaciones más nuevas; hay más.`,
        `Of the newest ${MAX_ADDED} statements; there are more.`,
      ),
    columns: [
      [
        say('Mayorista', 'Wholesaler'),
        ({ wholesalerId, wholesaler }) =>
          link(`/liquidaciones?status=closed&mayorista=${wholesalerId}`, named(wholesaler)),
        'name',
      ],
      [say('Liquidaciones', 'Statements'), ({ statements }) => String(statements), 'figure'],
      [say('Por pagar', 'To be paid'), ({ cents }) => pesosOf(cents / 100), 'money'],
    ],
    rows,
  });
}

/**
 * How far behind the console's clock "now" is, so that it is not the future by the database's: clocks that
 * differ by more fire an alert.
 */
const CLOCK_TOLERANCE_MS = 5_000;

function closeForm(visit: Visit, wholesalers: WholesalerChoices): Html {
  return foldedForm(visit, {
    summary: say('Cerrar ahora', 'Close now'),
    hint: say(
      'Se cierran solas cada día o cada lunes, según el mayorista. Aquí cierras antes, con lo entregado hasta este momento o hasta un día.',
      'They close each day or each Monday by themselves. Here you close earlier, with what was delivered up to now or up to a day.',
    ),
    action: '/liquidaciones',
    button: say('Cerrar liquidaciones', 'Close statements'),
    fields: [
      {
        ...dateField('until', say('Hasta el día', 'Up to the day')),
        required: false,
        hint: say(
          'Un día anterior entra completo. Hoy o vacío: hasta este momento.',
          'An earlier day is included as a whole. Today or nothing: up to now.',
        ),
      },
      wholesalerField(visit, wholesalers),
    ],
  });
}

/** No further call begins after this, so that the page is answered while somebody waits for it. */
const CLOSE_AGAIN_FOR_MS = 30_000;

/** One call closes some of many wholesalers, so it is repeated while it gets further and time allows. */
async function closeStatements(visit: Visit): Promise<Redirect> {
  const wholesalerId = fieldOf(visit, 'wholesalerId');
  // Each call has the same moment: with a later one the wholesalers that are closed would be due again.
  const body = {
    until: untilOf(fieldOf(visit, 'until')),
    ...(wholesalerId === '' ? {} : { wholesalerId }),
  };
  const startedAt = performance.now();
  let left = Number.POSITIVE_INFINITY;
  for (;;) {
    const { remaining } = await visit.viewer.ops.statements.close(body);
    if (remaining === 0) return { redirect: '/liquidaciones', done: 'cerradas' };
    if (remaining >= left || performance.now() - startedAt > CLOSE_AGAIN_FOR_MS) {
      return { redirect: '/liquidaciones', done: 'faltan' };
    }
    left = remaining;
  }
}

/**
 * The moment up to which statements close, for the API.
 * @param day the last one that is closed; empty for what there is now
 */
export function untilOf(day: string, now = new Date()): string {
  if (day === '' || day === dayAt(now.toISOString())) {
    return new Date(now.getTime() - CLOCK_TOLERANCE_MS).toISOString();
  }
  return Number.isNaN(Date.parse(day)) ? day : dayAfter(day);
}
