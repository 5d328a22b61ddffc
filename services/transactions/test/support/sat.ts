/**
 * What the tax authority (SAT) computes of the lines of a CFDI 4.0, by its own rules (Anexo 20, and the matrix of errors of
 * CFDI 4.0): the amount of a line, its base and its taxes have six decimals (CFDI40167), and the subtotal, the discount
 * and each tax are the sum of their lines, rounded to cents (CFDI40108, CFDI40110, CFDI40221). It shares no code with
 * the product: decimals are digits with a scale.
 */

/** digits / 10 ** scale */
interface Decimal {
  digits: bigint;
  scale: number;
}

const ZERO: Decimal = { digits: 0n, scale: 0 };

function decimal(value: number): Decimal {
  const [whole = '', fraction = ''] = String(value).split('.');
  if (!/^\d+$/.test(whole) || !/^\d{0,6}$/.test(fraction)) {
    throw new Error(`${value} is not a positive decimal of six decimals`);
  }
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

const scaled = ({ digits, scale }: Decimal, to: number): bigint =>
  digits * 10n ** BigInt(to - scale);

function plus(a: Decimal, b: Decimal, sign = 1n): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: scaled(a, scale) + sign * scaled(b, scale), scale };
}

const minus = (a: Decimal, b: Decimal): Decimal => plus(a, b, -1n);

const times = (a: Decimal, b: Decimal): Decimal => ({
  digits: a.digits * b.digits,
  scale: a.scale + b.scale,
});

/** Half up, as on paper: the first digit that is left out decides. */
function rounded(a: Decimal, scale: number): Decimal {
  if (a.scale <= scale) return { digits: scaled(a, scale), scale };
  const text = a.digits.toString().padStart(a.scale + 1, '0');
  const cut = text.length - (a.scale - scale);
  const kept = BigInt(text.slice(0, cut));
  return { digits: Number(text[cut]) >= 5 ? kept + 1n : kept, scale };
}

export interface SentTax {
  rate: number;
  type: string;
  factor?: string;
  base?: number;
}

/** A line as it is sent to Facturapi, with its price without taxes. */
export interface SentItem {
  quantity: number;
  discount: number;
  product: { price: number; taxes: SentTax[] };
}

/** @throws Error for a line that the tax authority refuses */
export function satTotalCents(items: SentItem[]): number {
  return satAmounts(items).totalCents;
}

/**
 * @returns the total of a document, in cents, and the base of each tax, in pesos
 * @throws Error for a line that the tax authority refuses
 */
export function satAmounts(items: SentItem[]): { totalCents: number; bases: Map<string, number> } {
  const bases = new Map<string, number>();
  let amounts = ZERO;
  let discounts = ZERO;
  const taxes = new Map<string, Decimal>();
  for (const { quantity, discount, product } of items) {
    const amount = rounded(times(decimal(quantity), decimal(product.price)), 6);
    const base = minus(amount, decimal(discount));
    if (product.price <= 0) throw new Error('CFDI40147: the price of a piece is 0');
    if (product.taxes.length > 0 && base.digits <= 0n) throw new Error('CFDI40161: a base is 0');
    const importe = (tax: SentTax, taxed: Decimal): Decimal => {
      const { type, rate, factor = 'Tasa' } = tax;
      if (factor === 'Exento' && rate !== 0) throw new Error('CFDI40165: an exempt tax has a rate');
      if (factor === 'Cuota' && (type !== 'IEPS' || tax.base === undefined)) {
        throw new Error('CFDI40164: a quota without its units, or of another tax than IEPS');
      }
      const of = factor === 'Cuota' ? decimal(tax.base ?? 0) : taxed;
      return rounded(times(of, decimal(rate)), 6);
    };
    let ieps = ZERO;
    for (const tax of product.taxes) if (tax.type === 'IEPS') ieps = plus(ieps, importe(tax, base));
    for (const tax of product.taxes) {
      const key = `${tax.type} ${tax.factor ?? 'Tasa'} ${tax.rate}`;
      const taxed = tax.type === 'IEPS' ? base : plus(base, ieps);
      const own = importe(tax, taxed);
      const ownBase = tax.factor === 'Cuota' ? (tax.base ?? 0) : pesosOf(taxed);
      bases.set(key, (bases.get(key) ?? 0) + ownBase);
      taxes.set(key, plus(taxes.get(key) ?? ZERO, own));
    }
    amounts = plus(amounts, amount);
    discounts = plus(discounts, decimal(discount));
  }
  let total = minus(rounded(amounts, 2), rounded(discounts, 2));
  for (const tax of taxes.values()) total = plus(total, rounded(tax, 2));
  return { totalCents: Number(total.digits), bases };
}

const pesosOf = ({ digits, scale }: Decimal): number => Number(digits) / 10 ** scale;
