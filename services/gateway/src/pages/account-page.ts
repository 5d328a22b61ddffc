import { html, NOTHING, type Html } from '@fiado/chassis/html';
import {
  debtsCall,
  type CheckedAccount,
  type DebtsAnswer,
  type DebtsQuestion,
} from '@fiado/contracts/account-visit';
import type { PaymentAnswer } from '@fiado/contracts/debts';
import { shortName } from '@fiado/contracts/short-name';
import type { Context } from '../context';
import { day, grouped, mainAmount, money, qrCode } from './formats';
import { howToPay } from './how-to-pay';
import type { Lender, Page } from './layout';
import { late } from './order-views';

/** The account of a store at some wholesalers: what it owes them, how to pay it, and what it has paid. */
export async function pageOfAccounts(
  { payments, lender }: Context,
  accounts: CheckedAccount[],
): Promise<Page> {
  const answers = await Promise.all(
    accounts.map(async ({ userId, wholesalerId, wholesaler }) => {
      const question: DebtsQuestion = { userId, wholesalerId };
      const { debts, unlisted } = await payments.ask(debtsCall, question);
      const named = debts.map((debt) => ({ ...debt, wholesaler: shortName(wholesaler) }));
      return { named, unlisted: unlisted === undefined ? [] : [unlisted] };
    }),
  );
  const debts = answers.flatMap(({ named }) => named);
  const reference = debts[0]?.numeroReferencia;
  return accountPage(debts, {
    unlisted: answers.flatMap(({ unlisted }) => unlisted),
    wholesalers: accounts.map(({ wholesaler }) => shortName(wholesaler)),
    lender,
    qr: reference === undefined ? undefined : await qrCode(reference),
  });
}

type Unlisted = NonNullable<DebtsAnswer['unlisted']>;

/** A debt, with the name of its wholesaler as pages show it. */
type NamedDebt = PaymentAnswer & { wholesaler: string };

/**
 * What a store owes for orders of some wholesalers, how to pay it, and what it has paid.
 * @param unlisted sums of open debts that are not among these
 * @param qr of the reference that pays the oldest debt first; undefined where nothing was bought
 */
function accountPage(
  debts: NamedDebt[],
  {
    unlisted,
    wholesalers,
    lender,
    qr,
  }: { unlisted: Unlisted[]; wholesalers: string[]; lender: Lender; qr: Html | undefined },
): Page {
  const open = debts
    .filter(({ status }) => status !== 'paid')
    .toSorted((a, b) => Date.parse(a.paymentDate) - Date.parse(b.paymentDate));
  const paid = debts.filter(({ status }) => status === 'paid');
  const [next] = open;
  const only = wholesalers.length === 1 ? wholesalers[0] : undefined;
  const shown = { lender, named: only === undefined };
  const head = { status: 200, title: 'Mi cuenta', progress: html`<p class="step">Mi cuenta</p>` };
  const history = paid.length === 0 ? [] : [historyOf(paid, open.length === 0)];
  if (next === undefined) {
    const content = html`<p>
      No debes nada de tus pedidos${only === undefined ? '' : ` con ${only}`}. Gracias.
    </p>`;
    return { ...head, heading: 'No debes nada', content, cards: history };
  }
  const { numeroReferencia } = next;
  return {
    ...head,
    heading: only === undefined ? 'Debes en total' : `Debes a ${only}`,
    content: owed(open, next, unlisted),
    cards: [howToPay({ numeroReferencia, qr }, lender), debtsOf(open, unlisted, shown), ...history],
  };
}

function owed(open: PaymentAnswer[], next: PaymentAnswer, unlisted: Unlisted[]): Html {
  const amounts = (debts: PaymentAnswer[]) => debts.map(({ amountDue }) => amountDue);
  const total = sumOf([...amounts(open), ...unlisted.map(({ amountDue }) => amountDue)]);
  const overdue = sumOf([
    ...amounts(open.filter(isOverdue)),
    ...unlisted.map(({ overdueAmount }) => overdueAmount),
  ]);
  const dueTogether = open.filter(({ paymentDate }) => paymentDate === next.paymentDate);
  return html`${isOverdue(next) ? late(overdue, next.paymentDate) : NOTHING} ${mainAmount(total)}
    <p>
      Siguiente pago: <strong>${money(sumOf(amounts(dueTogether)))}</strong>
      ${isOverdue(next) ? 'se tenía que pagar' : 'a más tardar'} el
      <strong>${day(next.paymentDate, next.paymentTimeZone)}</strong>
    </p>`;
}

/** Of pesos, in whole cents. */
function sumOf(amounts: number[]): number {
  return amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0) / 100;
}

function isOverdue({ status }: PaymentAnswer): boolean {
  return status === 'overdue';
}

function debtsOf(
  open: NamedDebt[],
  unlisted: Unlisted[],
  { lender: { phone, printedPhone }, named }: { lender: Lender; named: boolean },
): Html {
  return html`<h2>Lo que debes</h2>
    <ul class="debts">
      ${open.map((debt) => debtOf(debt, named))}
    </ul>
    ${unlisted.map(
      ({ debts, amountDue }) =>
        html`<p>Y ${String(debts)} más, que suman <strong>${money(amountDue)}</strong>.</p>`,
    )}
    <p class="quiet">¿No reconoces algo? Llama al <a href="tel:${phone}">${printedPhone}</a></p>`;
}

/** @param named whether the wholesaler is named, where the page shows several */
function debtOf(debt: NamedDebt, named: boolean): Html {
  const { amountDue, amountPaid, idFactura, paymentDate, paymentTimeZone, wholesaler } = debt;
  return html`<li>
    <strong>${day(paymentDate, paymentTimeZone)}</strong>
    <span class="sum">${money(amountDue)}</span>
    <span class="quiet">
      ${named ? html`De ${wholesaler}<br />` : NOTHING} Factura ${grouped(idFactura)}
      ${isOverdue(debt) ? html`<span class="badge late">◆ Con atraso</span>` : NOTHING}
      ${amountPaid > 0 ? html`<br />Ya pagaste ${money(amountPaid)}` : NOTHING}
    </span>
  </li>`;
}

/** @param shown whether it is open at first: when the page shows nothing else */
function historyOf(paid: PaymentAnswer[], shown: boolean): Html {
  return html`<details ${shown ? html`open` : NOTHING}>
    <summary>Ya pagado</summary>
    <ul class="debts">
      ${paid.map(
        ({ amountPaid, idFactura, paymentDate, paymentTimeZone }) =>
          html`<li>
            <strong>${day(paymentDate, paymentTimeZone)}</strong>
            <span class="sum">${money(amountPaid)}</span>
            <span class="quiet">
              Factura ${grouped(idFactura)} <span class="badge">● Pagado</span>
            </span>
          </li>`,
      )}
    </ul>
  </details>`;
}
