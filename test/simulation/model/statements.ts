import { isDisputed } from './disputes';
import { found, IVA_RATE, share, type Model } from './model';

/** What the lender owes a wholesaler for a delivery, or takes back for a credit note. Signed cents. */
export interface ModelLine {
  order: string;
  wholesaler: string;
  grossCents: number;
  commissionCents: number;
  at: number;
  /** No statement that ends before it has the line. */
  payableFrom: number;
  /** Of its statement; null while it is in none. */
  number: number | null;
}

interface ModelStatement {
  number: number;
  from: number;
  to: number;
  lines: number;
  openingCents: number;
  netCents: number;
}

/** Of one wholesaler. */
export interface ModelStatements {
  closedUntil: number;
  closed: ModelStatement[];
}

/** What a statement opens with: what the wholesaler owes from the one before, else nothing. */
function openingOf({ closed }: ModelStatements): number {
  return Math.min(0, closed.at(-1)?.netCents ?? 0);
}

/** Of the delivered less the commission and its IVA, which is rounded once for all lines. */
function netOf(lines: ModelLine[]): number {
  const total = (of: (line: ModelLine) => number) => lines.reduce((so, line) => so + of(line), 0);
  const commissionCents = total((line) => line.commissionCents);
  const ivaCents = Math.sign(commissionCents) * share(Math.abs(commissionCents), IVA_RATE);
  return total((line) => line.grossCents) - commissionCents - ivaCents;
}

function statementsOf(model: Model, wholesaler: string): ModelStatements {
  return model.statements.get(wholesaler) ?? { closedUntil: -Infinity, closed: [] };
}

function openLinesOf(model: Model, wholesaler: string): ModelLine[] {
  return [...model.lines.values()].filter(
    (line) => line.wholesaler === wholesaler && line.number === null,
  );
}

/**
 * Closes what is older than `until` into one statement. What is closed until then stays as it is, and
 * no statement is empty.
 * @returns the number of the statement whose period ends then or contains that end
 */
export function close(model: Model, wholesaler: string, until: number): number | null {
  const statements = structuredClone(statementsOf(model, wholesaler));
  const { closed } = statements;
  if (until > statements.closedUntil) {
    statements.closedUntil = until;
    const lines = openLinesOf(model, wholesaler).filter(
      ({ at, payableFrom, order }) =>
        at < until && payableFrom < until && !isDisputed(model, order),
    );
    if (lines.length > 0) {
      const number = closed.length + 1;
      const openingCents = openingOf(statements);
      closed.push({
        number,
        from: closed.at(-1)?.to ?? -Infinity,
        to: until,
        lines: lines.length,
        openingCents,
        netCents: openingCents + netOf(lines),
      });
      for (const line of lines) line.number = number;
    }
    model.statements.set(wholesaler, statements);
  }
  return closed.find(({ from, to }) => from < until && until <= to)?.number ?? null;
}

/** When a correction of an order is payable: with the delivery, as long as no statement has that. */
export function payableFromOfCorrection(model: Model, order: string): number {
  const delivery = found(model.lines, order);
  return delivery.number === null ? Math.max(delivery.payableFrom, model.now) : model.now;
}

/** The store has paid an order: its lines wait no longer. */
export function releaseLines(model: Model, order: string): void {
  for (const line of model.lines.values()) {
    if (line.order === order && line.number === null) {
      line.payableFrom = Math.max(line.at, Math.min(line.payableFrom, model.now));
    }
  }
}

/** What the wholesaler is still to be paid, with another line: no statement is paid in a history. */
export function leftToPay(model: Model, line: ModelLine): number {
  const statements = statementsOf(model, line.wholesaler);
  const unpaid = statements.closed.reduce((so, { netCents }) => so + Math.max(0, netCents), 0);
  return unpaid + openingOf(statements) + netOf([...openLinesOf(model, line.wholesaler), line]);
}
