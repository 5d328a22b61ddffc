import { html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { dateField, form, reasonField } from '../frame/form';
import { numbered, pesosOf, sumOf } from '../frame/formats';
import { type Columns, tablePart } from '../frame/parts';
import { chosenIn, noneChosen, withEach } from '../frame/several';
import { fieldOf, type Page, type Visit } from '../frame/visit';
import { say } from '../frame/words';
import { daysOf, statementHref, wholesalerAndNumber } from './statement';

/** Statements that were chosen in a list, whose transfers were made. */
export const SEVERAL = '/liquidaciones/varias';

type Statement = AnswerOf<'showStatement'>;

const backTo = (): [string, string] => [
  '/liquidaciones?status=closed',
  say('Liquidaciones por pagar', 'Statements to be paid'),
];

const referenceOf = (statementId: string): string => `bankReference-${statementId}`;

/** The chosen statements with their sum, and a form for the reference of each transfer. */
export async function showSeveral(visit: Visit): Promise<Page> {
  const ids = chosenIn(visit, 'liquidacion');
  if (ids.length === 0) return noneChosen(backTo());
  const statements = await Promise.all(ids.map((id) => visit.viewer.ops.statements.show(id)));
  const open = statements.filter(({ status }) => status === 'closed');
  const sum = pesosOf(sumOf(open, ({ amountDue }) => amountDue));
  return {
    path: backTo(),
    title: say('Marcar varias como pagadas', 'Mark several as paid'),
    lead: say(
      'Cuando las transferencias ya salieron. Otra persona aprueba cada una.',
      'Once the transfers are made. Another person approves each of them.',
    ),
    content: html`${tablePart({
      title: `${numbered(open.length, say('liquidación', 'statement'), say('liquidaciones', 'statements'))}, ${sum}`,
      columns: columnsOf(),
      rows: statements,
      href: statementHref,
    })}
    ${form(visit, {
      action: SEVERAL,
      hidden: { liquidacion: open.map(({ statementId }) => statementId).join(',') },
      fields: [
        dateField('paidOn', say('Día de las transferencias', 'Day of the transfers')),
        ...open.map(({ statementId, wholesaler, number, amountDue }) => ({
          name: referenceOf(statementId),
          label: say(
            `Referencia del banco: ${wholesaler}, núm. ${number}, ${pesosOf(amountDue)}`,
            `Bank reference: ${wholesaler}, no. ${number}, ${pesosOf(amountDue)}`,
          ),
        })),
        reasonField(),
      ],
      button: say(`Se pagaron ${sum}`, `${sum} was paid`),
    })}`,
  };
}

/** Asks for each payment, one after the other, and shows its outcome. */
export async function paySeveral(visit: Visit): Promise<Page> {
  const { viewer } = visit;
  const { statements } = viewer.ops;
  const paidOn = fieldOf(visit, 'paidOn');
  const title = say('Pagos de liquidaciones', 'Payments of statements');
  const outcomes = await withEach(title, {
    ids: chosenIn(visit, 'liquidacion'),
    call: (id) =>
      statements.markPaid(id, {
        bankReference: fieldOf(visit, referenceOf(id)),
        paidOn,
        reason: fieldOf(visit, 'reason'),
      }),
    read: (id) => statements.show(id),
    columns: columnsOf(),
    href: statementHref,
  });
  return { ...outcomes, path: backTo() };
}

function columnsOf(): Columns<Statement> {
  return [
    ...wholesalerAndNumber(),
    [say('Días', 'Days'), daysOf],
    [say('Estado', 'State'), 'status', 'statement'],
    [say('A pagar', 'Due'), 'amountDue', 'money'],
  ];
}
