import { centsOf } from '@fiado/contracts/money';
import { type Billed, type InvoicedTax, inProportion, totalCentsOf } from './invoice.rules';

/** A line as providers bill it: without taxes, in pesos with at most six decimals. */
export interface BilledLine {
  description: string;
  quantity: number;
  /** Of one piece. */
  price: number;
  /** On the whole line. */
  discount: number;
  taxes: InvoicedTax[];
  /** Pieces, by which taxes by quota are multiplied, also where the line is billed as one. */
  units: number;
}

/** A tax of an invoice, or of a part of it, as providers take it of a payment. */
interface TaxedBase extends InvoicedTax {
  /** What the rate is a share of; of a quota its units. In pesos, with at most six decimals. */
  base: number;
}

/** Millionths of a peso, the precision of the tax authority for lines. Rates are in millionths, too. */
const MICROS = 1_000_000n;
const MICROS_PER_CENT = 10_000n;

/** Quantities have three decimals. */
const THOUSANDTHS = 1000n;

/** Above a billion pesos a JSON number has not every decimal: of a fraction of a piece. */
const MAX_PRICE_MICROS = 10n ** 15n;

/** Characters of a description, as the tax authority takes it. */
const MAX_DESCRIPTION = 1000;

/** Lines whose price is moved in search of a total. The first nearly always does. */
const NUDGED_LINES = 5;

/** Cents by which a price is moved at most: each rounded sum may be half a cent off. */
const NUDGED_CENTS = 3n;

interface Line {
  description: string;
  taxes: InvoicedTax[];
  quantity: bigint;
  units: bigint;
  priceMicros: bigint;
  discountMicros: bigint;
}

/**
 * The lines of an invoice without taxes, and its total by the arithmetic of the tax authority (Anexo 20, CFDI 4.0):
 * amounts of lines have six decimals; the sums of the lines, of their discounts and of each tax are rounded to cents.
 * IEPS is a part of the base of the other taxes. The price of a piece has six decimals, so that its line is right to
 * the cent and the total is that of the prices less the discount. Where no such price exists, as of 30,000 pieces for
 * 1,000.01, the line is one piece, and its description has the quantity.
 * @returns undefined where taxes by quota exceed the price of a line
 */
export function amountsOf(billed: Billed): { lines: BilledLine[]; totalCents: number } | undefined {
  const lines = linesOf(billed);
  return lines && { lines: lines.map(presentLine), totalCents: totalOf(lines) };
}

/**
 * The lines of an invoice as Facturapi takes them. Prices go without taxes: how it takes taxes out of a price, and rounds, is
 * not documented.
 * @returns as amountsOf
 */
export function itemsOf(billed: Billed): object[] | undefined {
  return amountsOf(billed)?.lines.map((line, at) => {
    const { description, quantity, price, discount, taxes, units } = line;
    const product = billed.products[at]?.product;
    return {
      quantity,
      discount,
      product: {
        description,
        product_key: product?.productKey,
        unit_key: product?.unitKey,
        sku: product?.sku,
        price,
        tax_included: false,
        taxes: taxes.map((tax) => (tax.factor === 'Cuota' ? { ...tax, base: units } : tax)),
      },
    };
  });
}

/**
 * The taxes of a payment of an invoice, their bases in proportion. Payments that follow each other get all of each base.
 * @param paid what was paid before it and with it, in cents
 */
export function taxesOfPayment(
  billed: Billed,
  paid: { before: number; upTo: number },
): TaxedBase[] {
  const taxes = new Map<string, { tax: InvoicedTax; micros: bigint }>();
  for (const line of linesOf(billed) ?? []) {
    const { bases } = partsOf(line);
    line.taxes.forEach(({ type, factor = 'Tasa', rate }, at) => {
      const key = `${type} ${factor} ${rate}`;
      const { micros } = taxes.get(key) ?? { micros: 0n };
      taxes.set(key, { tax: { type, factor, rate }, micros: micros + (bases[at] ?? 0n) });
    });
  }
  const totalCents = BigInt(totalCentsOf(billed));
  return [...taxes.values()].flatMap(({ tax, micros }) => {
    const shareOf = (cents: number): bigint => divided(micros * BigInt(cents), totalCents);
    const base = Number(shareOf(paid.upTo) - shareOf(paid.before)) / 1e6;
    return base === 0 ? [] : [{ ...tax, base }];
  });
}

function linesOf(billed: Billed): Line[] | undefined {
  const prices = billed.products.map(({ product }) => centsOf(product.price));
  const discounts = inProportion(billed.discountCents, prices);
  const lines = billed.products.map(({ product, quantity }, at) => ({
    description: product.description,
    taxes: product.taxes,
    quantity: thousandthsOf(quantity),
    units: thousandthsOf(quantity),
    grossMicros: BigInt(prices[at] ?? 0) * MICROS_PER_CENT,
    reducedMicros: BigInt((prices[at] ?? 0) - (discounts[at] ?? 0)) * MICROS_PER_CENT,
    priceMicros: 0n,
    discountMicros: 0n,
  }));
  // The most precise lines come last: they take up what the rounding of the others left, where it is of weight.
  const byQuantity = lines.toSorted((a, b) => Number(b.quantity - a.quantity));
  let leftMicros = 0n;
  for (const line of byQuantity) {
    const { grossMicros, reducedMicros } = line;
    if (baseOf(line, reducedMicros) < 0n) return undefined;
    const carryMicros = 4n * abs(leftMicros) < MICROS_PER_CENT ? 0n : leftMicros;
    const base = baseOf(line, grossMicros + carryMicros);
    const reduced = baseOf(line, reducedMicros + carryMicros);
    line.discountMicros = base - (reduced < 0n ? 0n : reduced);
    line.priceMicros = divided(base * THOUSANDTHS, line.quantity);
    const isOff = 2n * abs(billedMicros(line) - reducedMicros - carryMicros) >= MICROS_PER_CENT;
    if (isOff || line.priceMicros > MAX_PRICE_MICROS) becomeOnePiece(line, base);
    leftMicros += reducedMicros - billedMicros(line);
  }
  const finest = byQuantity.slice(-NUDGED_LINES).toReversed();
  const wantedCents = totalCentsOf(billed);
  nudge(lines, finest, wantedCents);
  const [first] = finest;
  if (totalOf(lines) !== wantedCents && first !== undefined && first.quantity !== THOUSANDTHS) {
    becomeOnePiece(first, partsOf(first).amount);
    nudge(lines, [first], wantedCents);
  }
  return lines;
}

/** What lines bill before their taxes, less their discounts, in cents: `totalCents` less it are the taxes. */
export function untaxedCentsOf(lines: BilledLine[]): number {
  const [amount, discount] = lines.reduce(
    ([amounts, discounts], line) => [
      amounts + divided(microsOf(line.price) * thousandthsOf(line.quantity), THOUSANDTHS),
      discounts + microsOf(line.discount),
    ],
    [0n, 0n],
  );
  return Number(divided(amount, MICROS_PER_CENT) - divided(discount, MICROS_PER_CENT));
}

function becomeOnePiece(line: Line, amountMicros: bigint): void {
  const counted = ` (cantidad: ${Number(line.quantity) / 1000})`;
  line.description = line.description.slice(0, MAX_DESCRIPTION - counted.length) + counted;
  line.quantity = THOUSANDTHS;
  line.priceMicros = amountMicros;
}

/** What an amount is without its taxes, in millionths; negative where taxes by quota exceed it. */
function baseOf({ taxes, units }: Pick<Line, 'taxes' | 'units'>, grossMicros: bigint): bigint {
  let [ieps, others, quota] = [MICROS, MICROS, 0n];
  for (const tax of taxes) {
    const rate = microsOf(tax.rate);
    if (tax.factor === 'Cuota') quota += divided(units * rate, THOUSANDTHS);
    else if (isIeps(tax)) ieps += rate;
    else others += rate;
  }
  return divided((grossMicros * MICROS - quota * others) * MICROS, ieps * others);
}

/** The amount of a line before its discount, and each of its taxes with its base, in millionths. */
function partsOf(line: Line): { amount: bigint; bases: bigint[]; taxes: bigint[] } {
  const { quantity, units, priceMicros, discountMicros } = line;
  const amount = divided(priceMicros * quantity, THOUSANDTHS);
  const base = amount - discountMicros;
  const baseOfTax = (tax: InvoicedTax, taxed: bigint): bigint =>
    tax.factor === 'Cuota' ? (units * MICROS) / THOUSANDTHS : taxed;
  const taxOf = (tax: InvoicedTax, taxed: bigint): bigint =>
    divided(baseOfTax(tax, taxed) * microsOf(tax.rate), MICROS);
  const ieps = line.taxes.filter(isIeps).reduce((sum, tax) => sum + taxOf(tax, base), 0n);
  const bases = line.taxes.map((tax) => baseOfTax(tax, isIeps(tax) ? base : base + ieps));
  const taxes = line.taxes.map((tax, at) =>
    divided((bases[at] ?? 0n) * microsOf(tax.rate), MICROS),
  );
  return { amount, bases, taxes };
}

function billedMicros(line: Line): bigint {
  const { amount, taxes } = partsOf(line);
  return taxes.reduce((sum, tax) => sum + tax, amount - line.discountMicros);
}

function totalOf(lines: Line[]): number {
  const sums = new Map<string, bigint>();
  const add = (key: string, micros: bigint): unknown =>
    sums.set(key, (sums.get(key) ?? 0n) + micros);
  for (const line of lines) {
    const { amount, taxes } = partsOf(line);
    add('amount', amount);
    add('discount', line.discountMicros);
    line.taxes.forEach(({ type, factor = 'Tasa', rate }, at) =>
      add(`${type} ${factor} ${rate}`, taxes[at] ?? 0n),
    );
  }
  const cents = [...sums].map(([key, micros]) => {
    const rounded = divided(micros, MICROS_PER_CENT);
    return key === 'discount' ? -rounded : rounded;
  });
  return Number(cents.reduce((sum, one) => sum + one, 0n));
}

/**
 * Moves the price of one of the `movable` lines so that the sums, each rounded to cents, add up to the wanted total.
 * A rare total has no such price, as an odd number of cents with a tax of 100 %.
 */
function nudge(lines: Line[], movable: Line[], wantedCents: number): void {
  for (const line of movable) {
    const total = totalOf(lines);
    if (total === wantedCents) return;
    const from = line.priceMicros;
    const sign = total < wantedCents ? 1n : -1n;
    const isShort = (moved: bigint): boolean => {
      line.priceMicros = from + sign * moved;
      const now = totalOf(lines);
      return sign > 0n ? now < wantedCents : now > wantedCents;
    };
    let low = 0n;
    let high = (NUDGED_CENTS * MICROS_PER_CENT * THOUSANDTHS) / line.quantity + 1n;
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (isShort(middle)) low = middle;
      else high = middle;
    }
    line.priceMicros = from + sign * high;
    const isPositive = line.priceMicros > 0n && partsOf(line).amount >= line.discountMicros;
    if (!isPositive || totalOf(lines) !== wantedCents) line.priceMicros = from;
  }
}

function presentLine({
  description,
  taxes,
  quantity,
  units,
  priceMicros,
  discountMicros,
}: Line): BilledLine {
  return {
    description,
    taxes,
    quantity: Number(quantity) / 1000,
    units: Number(units) / 1000,
    price: Number(priceMicros) / 1e6,
    discount: Number(discountMicros) / 1e6,
  };
}

function isIeps({ type, factor }: InvoicedTax): boolean {
  return type === 'IEPS' || factor === 'Cuota';
}

function thousandthsOf(quantity: number): bigint {
  return BigInt(Math.round(quantity * 1000));
}

function microsOf(rate: number): bigint {
  return BigInt(Math.round(rate * 1e6));
}

function abs(micros: bigint): bigint {
  return micros < 0n ? -micros : micros;
}

/** Rounded half up; of amounts that are not negative. */
function divided(amount: bigint, by: bigint): bigint {
  return (2n * amount + by) / (2n * by);
}
