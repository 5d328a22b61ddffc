import { fileColumns, type PeopleColumn } from '@fiado/chassis/exports/people-file';
import type { Html } from '@fiado/chassis/html';
import { daysFilter } from '../frame/filters';
import { groupedBy, named, pesosOf, sumOf } from '../frame/formats';
import { type FiledListing, listWithFile } from '../frame/list-file';
import { tablePart } from '../frame/parts';
import { wholesalerChoices, wholesalerFilter } from '../frame/names';
import type { RowOf } from '../frame/read';
import { sendFile } from '../frame/send-file';
import { act, change, type Route, show } from '../frame/serve';
import { mayDo, queryOf, type Visit } from '../frame/visit';
import { say, stateColumn } from '../frame/words';
import { adjust, draftLink, showDraft } from './draft';
import { paySeveral, SEVERAL, showSeveral } from './pay-several';
import {
  csvLink,
  daysOf,
  missingComplements,
  statement,
  statementHref,
  wholesalerAndNumber,
} from './statement';
import { closeForm, closeStatements } from './close-statements';

const draft = show('/liquidaciones/mayorista/:wholesalerId', showDraft);

const [statements, file] = listWithFile('/liquidaciones', statementsOf);

export const statementRoutes: Route[] = [
  statements,
  file,
  act('/liquidaciones', closeStatements, statements.page),
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

/** Statements of all wholesalers, the newest first: each with its spreadsheet. */
async function statementsOf(visit: Visit): Promise<FiledListing<'listOpsStatements'>> {
  const { viewer } = visit;
  const wholesalers = await wholesalerChoices(visit);
  const wholesalerId = queryOf(visit, 'mayorista');
  const areClosed = queryOf(visit, 'status') === 'closed';
  return {
    of: 'listOpsStatements',
    title: say('Liquidaciones', 'Statements'),
    lead: say(
      'Lo que se debe a cada mayorista por lo que entregó.',
      'What is owed to each wholesaler for what it delivered.',
    ),
    actions: wholesalerId !== '' && draftLink(wholesalerId),
    states: { kind: 'statement', all: say('Todas', 'All'), shown: ['todos', 'closed', 'paid'] },
    filters: [wholesalerFilter(visit, wholesalers), daysFilter(visit)],
    sorts: ['-closedAt', 'closedAt'],
    counted: [say('liquidación', 'statement'), say('liquidaciones', 'statements')],
    before: async () => [
      mayDo(viewer, 'operator') && closeForm(visit, wholesalers),
      areClosed && wholesalerId === '' && (await toPayPart(visit)),
    ],
    empty: say('Ninguna liquidación así.', 'No such statement.'),
    href: statementHref,
    several: areClosed &&
      mayDo(viewer, 'approver') && {
        action: SEVERAL,
        button: say('Marcar las elegidas como pagadas', 'Mark the chosen as paid'),
        name: 'liquidacion',
        of: ({ statementId, wholesaler, number }) => ({
          id: statementId,
          called: `${wholesaler} ${number}`,
        }),
      },
    columns: [
      ...wholesalerAndNumber(),
      [say('Días', 'Days'), daysOf],
      [say('Cerrada', 'Closed'), 'closedAt', 'when'],
      [say('Estado', 'State'), 'status', 'statement'],
      ['', ({ pendingComplements }) => missingComplements(pendingComplements), 'note'],
      [say('Entregas y correcciones', 'Deliveries and corrections'), 'grossAmount', 'figure'],
      [say('A pagar', 'Due'), 'amountDue', 'owed'],
      [say('Hoja', 'Spreadsheet'), csvLink],
    ],
    file: { columns: FILE_COLUMNS, sumsBy: FILE_STATE },
  };
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

/** What is to be paid to each wholesaler, the most first. */
async function toPayPart({ viewer }: Visit): Promise<Html> {
  const statements: Array<RowOf<'listOpsStatements'>> = [];
  let isCut = false;
  for await (const one of viewer.ops.statements.list({ status: 'closed', limit: 100 })) {
    isCut = statements.length === MAX_ADDED;
    if (isCut) break;
    statements.push(one);
  }
  const rows = groupedBy(statements, ({ wholesalerId }) => wholesalerId)
    .map(([id, all]) => ({
      id,
      name: all[0]?.wholesaler ?? '',
      count: String(all.length),
      due: sumOf(all, ({ amountDue }) => amountDue),
    }))
    .toSorted((one, other) => other.due - one.due);
  const total = pesosOf(sumOf(rows, ({ due }) => due));
  return tablePart({
    title: say(`Por pagar: ${total}`, `To be paid: ${total}`),
    note:
      isCut &&
      say(
        `De las ${MAX_ADDED} liquidaciones más nuevas; hay más.`,
        `Of the newest ${MAX_ADDED} statements; there are more.`,
      ),
    rows,
    href: ({ id }) => `/liquidaciones?status=closed&mayorista=${id}`,
    columns: [
      [say('Mayorista', 'Wholesaler'), ({ name }) => named(name), 'name'],
      [say('Liquidaciones', 'Statements'), ({ count }) => count, 'figure'],
      [say('Por pagar', 'To be paid'), 'due', 'money'],
    ],
  });
}
