import { randomUUID } from 'node:crypto';
import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import type { RequestOptions } from '@fiado/client';
import type { AnswerOf, ItemOf } from '@fiado/ops-client/operations';
import { choice, foldedForm, reasonField } from '../frame/form';
import {
  buttonLink,
  dayAt,
  dayOf,
  link,
  neededAmountIn,
  pesosOf,
  sumOf,
  when,
} from '../frame/formats';
import { PAGE_SIZE, pageLinks, tablePart } from '../frame/parts';
import { firstPage } from '../frame/read';
import { storeColumn, storeNames, type StoreNames } from '../frame/names';
import { fieldOf, idOf, mayDo, queryOf, type Page, type Visit } from '../frame/visit';
import { say, naming } from '../frame/words';

type Draft = AnswerOf<'showDraftStatement'>;

/** A button that opens what the next statement of a wholesaler has so far. */
export function draftLink(wholesalerId: string): Html {
  return buttonLink(
    `/liquidaciones/mayorista/${wholesalerId}`,
    say('Por liquidar', 'Next statement'),
  );
}

/** What the next statement of a wholesaler has so far, beside its last one, and the form that corrects it. */
export async function showDraft(visit: Visit): Promise<Page> {
  const { viewer } = visit;
  const wholesalerId = idOf(visit, 'wholesalerId');
  const cursor = queryOf(visit, 'cursor') || undefined;
  const showsHeld = queryOf(visit, 'ver') === 'retenidos';
  const asked = { wholesalerId, limit: PAGE_SIZE, cursor };
  const { statements } = viewer.ops;
  const [{ name }, draft, { lines, nextCursor }, last] = await Promise.all([
    viewer.ops.wholesalers.get(wholesalerId),
    statements.showDraft({ wholesalerId }),
    showsHeld
      ? firstPage(statements.listHeldLines(asked))
      : firstPage(statements.listDraftLines(asked)),
    lastStatement(visit, { wholesalerId }),
  ]);
  const here = `/liquidaciones/mayorista/${wholesalerId}`;
  const from = dayOf(dayAt(draft.periodFrom));
  const count = draft.lines.toLocaleString('es-MX');
  return {
    path: ['/liquidaciones', say('Liquidaciones', 'Statements')],
    title: say('Por liquidar', 'Next statement'),
    lead: html`${link(`/mayoristas/${wholesalerId}`, name)} ·
    ${say(`desde el ${from}, renglones: ${count}`, `since ${from}, lines: ${count}`)}`,
    actions: buttonLink(
      `/liquidaciones?mayorista=${wholesalerId}`,
      say('Ver liquidaciones', 'See statements'),
    ),
    content: html`${amountsPart(draft, last)} ${heldNote(draft, here)}
    ${await linesPart(visit, lines)}
    ${pageLinks(showsHeld ? `${here}?ver=retenidos` : here, { cursor, nextCursor })}
    ${mayDo(viewer, 'approver') && adjustForm(visit, wholesalerId)}`,
  };
}

/** What no statement that closed now would have, with a link to its lines. */
function heldNote({ heldLines, heldAmount }: Draft, here: string): HtmlValue {
  if (heldLines === 0) return undefined;
  const sum = pesosOf(heldAmount);
  return html`<p>
    ${say(
      `Retenido: ${sum}, de entregas sin palabra que la tienda no ha pagado o de pedidos en disputa. Renglones: ${heldLines}.`,
      `Held: ${sum}, of deliveries without a word that the store has not paid, or of disputed orders. Lines: ${heldLines}.`,
    )}
    ${link(`${here}?ver=retenidos`, say('Ver lo retenido', 'See what is held'))} ·
    ${link(here, say('Ver lo que se liquida', 'See what is settled'))}
  </p>`;
}

/**
 * The newest statement of a wholesaler, to compare with another one.
 * @param to only statements that began before this moment
 */
export async function lastStatement(
  { viewer }: Visit,
  asked: { wholesalerId: string; to?: string },
): Promise<AnswerOf<'showStatement'> | undefined> {
  const { statements } = await firstPage(viewer.ops.statements.list({ ...asked, limit: 1 }));
  const statementId = statements[0]?.statementId;
  return statementId === undefined ? undefined : viewer.ops.statements.show(statementId);
}

type Amounts = Omit<Draft, 'status' | 'periodFrom' | 'lines' | 'heldLines' | 'heldAmount'>;

/** The amounts of a statement or a draft, which add up to what is due, and those of the last one beside them. */
export function amountsPart(now: Amounts, last: AnswerOf<'showStatement'> | undefined): Html {
  const sumIn = (kinds: string[]) => (amounts: Amounts) =>
    sumOf(
      amounts.kinds.filter(({ kind }) => kinds.includes(kind)),
      ({ grossAmount }) => grossAmount,
    );
  const rows: AmountRow[] = [
    [say('Saldo anterior', 'Opening balance'), ({ openingBalance }) => openingBalance],
    [say('Entregas', 'Deliveries'), sumIn(['delivery'])],
    [say('Notas de crédito', 'Credit notes'), sumIn(['credit-note'])],
    [say('Correcciones', 'Corrections'), sumIn(['clawback', 'adjustment'])],
    [say('Comisión', 'Commission'), ({ commission }) => -commission],
    [say('IVA de la comisión', 'IVA on the commission'), ({ commissionIVA }) => -commissionIVA],
    [say('Saldo', 'Balance'), ({ netAmount }) => netAmount],
    [say('A pagar', 'Due'), ({ amountDue }) => amountDue, 'all'],
  ];
  return tablePart<AmountRow>({
    title: say('Montos', 'Amounts'),
    columns: [
      [say('Concepto', 'What'), ([name]) => name, 'name'],
      last !== undefined && [
        say(`La anterior, núm. ${last.number}`, `The one before, no. ${last.number}`),
        ([, amountIn]) => amountIn(last),
        'figure',
      ],
      [
        say('Esta', 'This one'),
        ([, amountIn, all]) =>
          all === undefined ? amountIn(now) : html`<strong>${pesosOf(amountIn(now))}</strong>`,
        'money',
      ],
    ],
    rows,
  });
}

type AmountRow = [name: string, amountIn: (amounts: Amounts) => number, all?: 'all'];

type Line = ItemOf<'listOpsStatementLines', 'lines'>;
type HeldLine = ItemOf<'listOpsHeldLines', 'lines'>;

/** @param of their title, and a link beside it, where the page has others */
export async function linesPart(
  visit: Visit,
  lines: ReadonlyArray<Line | HeldLine>,
  of: { title?: string; more?: Html } = {},
): Promise<Html> {
  const names = await storeNames(visit, lines);
  return tablePart<Line | HeldLine, StoreNames>({
    title: say('Renglones', 'Lines'),
    href: ({ transactionId }) => (transactionId === null ? undefined : `/pedidos/${transactionId}`),
    ...of,
    columns: [
      [say('Qué', 'What'), ({ kind }) => lineKindName(kind), 'name'],
      ['', ({ wholesalerTransactionId }) => wholesalerTransactionId ?? '', 'note'],
      storeColumn(),
      [say('Cuándo', 'When'), 'occurredAt', 'when'],
      lines.some((line) => 'payableFrom' in line) && [
        say('Se paga desde', 'Payable from'),
        (line) => 'payableFrom' in line && payableFrom(line),
        'when',
      ],
      [say('Monto', 'Amount'), 'grossAmount', 'figure'],
      [say('Comisión', 'Commission'), 'commission', 'figure'],
      [say('Neto', 'Net'), 'netAmount', 'money'],
      // Only corrections have one.
      lines.some(({ reason }) => reason !== null) && [say('Motivo', 'Reason'), 'reason'],
    ],
    rows: lines,
    names,
    empty: say('Ningún renglón todavía.', 'No line yet.'),
  });
}

/** From when a held line is payable, or that its order is disputed. */
function payableFrom({ payableFrom: from }: HeldLine): string | Html {
  return from === null ? say('Al decidir la disputa', 'When its dispute is decided') : when(from);
}

/** What a line of a statement is, in words. */
export const lineKindName = naming({
  delivery: ['Entrega', 'Delivery'],
  'credit-note': ['Nota de crédito', 'Credit note'],
  clawback: ['Retiro de lo liquidado', 'Clawback'],
  adjustment: ['Ajuste', 'Adjustment'],
});

/** A correction without a sign: people choose for whom it is. */
const CORRECTIONS = ['clawback', 'more', 'less'] as const;

function adjustForm(visit: Visit, wholesalerId: string): Html {
  const names = {
    clawback: say('Quitar lo liquidado por un pedido', 'Take back what was settled for an order'),
    more: say('Ajuste a favor del mayorista', 'Adjustment that adds'),
    less: say('Ajuste en contra del mayorista', 'Adjustment that takes'),
  };
  return foldedForm(visit, {
    summary: say('Corregir lo que se le paga', 'Correct what is owed'),
    hint: say(
      'Es un renglón más de la siguiente liquidación; la tienda sigue debiendo lo mismo. Otra persona lo aprueba.',
      'It is one more line of the next statement; the store owes the same. Another person approves it.',
    ),
    action: `/liquidaciones/mayorista/${wholesalerId}`,
    button: say('Pedir la corrección', 'Ask for the correction'),
    kind: 'bad',
    // The same form sent twice is one correction.
    hidden: { key: randomUUID() },
    operation: 'adjustSettlement',
    fields: [
      choice(say('Corrección', 'Correction'), CORRECTIONS, (one) => names[one], 'kind'),
      { name: 'amount', label: say('Monto en pesos', 'Amount in pesos') },
      {
        name: 'transactionId',
        label: say('Id del pedido', 'Id of the order'),
        hint: say(
          'Se necesita para quitar lo liquidado.',
          'It is needed to take back what was settled.',
        ),
      },
      reasonField(),
    ],
  });
}

/** A clawback takes back the commission too; an adjustment is the amount alone. */
export async function adjust(
  visit: Visit,
  wholesalerId: string,
  once: RequestOptions,
): Promise<void> {
  const correction = fieldOf(visit, 'kind');
  const transactionId = fieldOf(visit, 'transactionId');
  const amount = neededAmountIn(fieldOf(visit, 'amount'));
  const body = {
    wholesalerId,
    kind: correction === 'clawback' ? 'clawback' : 'adjustment',
    amount: correction === 'less' ? -amount : amount,
    ...(transactionId === '' ? {} : { transactionId }),
    reason: fieldOf(visit, 'reason'),
  } as const;
  await visit.viewer.ops.statements.adjust(body, once);
}
