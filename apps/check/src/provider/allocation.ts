import type { Scenario } from '../scenario';
import { postDeposit } from './post-deposit';
import { depositFor, newDebt, paidCents, pesos, type World } from './world';

/** Amounts whose product with 100 is no whole number in floating point. */
const ODD_CENTS = [29, 115, 435];

/** Which debts a deposit pays, and how much of them. */
export const ALLOCATION: Array<Scenario<World>> = [
  {
    id: 'D01',
    title: { en: 'Exact payment by idFactura', es: 'Pago exacto por idFactura' },
    rule: {
      en: 'A deposit that names a debt pays that debt.',
      es: 'Un depósito que nombra una deuda paga esa deuda.',
    },
    run: async (world, record) => {
      const debt = await newDebt(world);
      const deposit = depositFor(debt, debt.dueCents, { numeroReferencia: '' });
      record('status of the notice', 200, (await postDeposit(world.provider, deposit)).status);
      const paid = await paidCents(world, debt, debt.dueCents);
      record('paid', pesos(debt.dueCents), pesos(paid));
      record('left', '0.00', pesos((await world.debts.read(debt)).leftCents));
    },
  },
  {
    id: 'D02',
    title: {
      en: 'By numeroReferencia, oldest first',
      es: 'Por numeroReferencia, la más antigua primero',
    },
    rule: {
      en: 'A deposit that names a customer pays its oldest debt first.',
      es: 'Un depósito que nombra a un cliente paga primero su deuda más antigua.',
    },
    run: async (world, record) => {
      const customer = await world.debts.newCustomer(2);
      const [older, newer] = [await customer.nextDebt(), await customer.nextDebt()];
      const deposit = depositFor(older, older.dueCents + 5_000, { idFactura: '' });
      record('status of the notice', 200, (await postDeposit(world.provider, deposit)).status);
      record('paid of the newer', '50.00', pesos(await paidCents(world, newer, 5_000)));
      record(
        'paid of the older',
        pesos(older.dueCents),
        pesos(await paidCents(world, older, older.dueCents)),
      );
    },
  },
  {
    id: 'D03',
    title: { en: 'Surplus becomes a balance', es: 'El excedente queda como saldo' },
    rule: {
      en: 'What a customer paid too much pays its next debt.',
      es: 'Lo que un cliente pagó de más paga su siguiente deuda.',
    },
    run: async (world, record) => {
      const customer = await world.debts.newCustomer(2);
      const debt = await customer.nextDebt();
      await postDeposit(world.provider, depositFor(debt, debt.dueCents + 5_000));
      record('paid', pesos(debt.dueCents), pesos(await paidCents(world, debt, debt.dueCents)));
      const next = await customer.nextDebt();
      record('paid of the next debt', '50.00', pesos(await paidCents(world, next, 5_000)));
    },
  },
  {
    id: 'D04',
    title: { en: 'Three partial payments, to the cent', es: 'Tres pagos parciales, al centavo' },
    rule: {
      en: 'Each deposit counts with its exact amount.',
      es: 'Cada depósito cuenta con su monto exacto.',
    },
    run: async (world, record) => {
      const debt = await newDebt(world);
      for (const amount of ODD_CENTS) {
        const { status } = await postDeposit(world.provider, depositFor(debt, amount));
        record(`status of the notice of ${pesos(amount)}`, 200, status);
      }
      const sum = ODD_CENTS.reduce((total, amount) => total + amount, 0);
      record('paid', pesos(sum), pesos(await paidCents(world, debt, sum)));
    },
  },
  {
    id: 'D08',
    title: { en: 'Unknown reference', es: 'Referencia desconocida' },
    rule: {
      en: 'A deposit without a debt is acknowledged and kept; it pays nothing.',
      es: 'Un depósito sin deuda se acepta y se guarda; no paga nada.',
    },
    run: async (world, record) => {
      const debt = await newDebt(world);
      const unknown = depositFor(debt, 100, {
        idFactura: 'sin factura',
        numeroReferencia: 'nadie',
      });
      record('status of the notice', 200, (await postDeposit(world.provider, unknown)).status);
      record('paid of a debt', '0.00', pesos(await paidCents(world, debt, 0)));
    },
  },
  {
    id: 'D09',
    title: { en: 'References of two customers', es: 'Referencias de dos clientes' },
    rule: {
      en: 'Where the two references contradict, the deposit is acknowledged and kept; it pays nothing.',
      es: 'Si las dos referencias se contradicen, el depósito se acepta y se guarda; no paga nada.',
    },
    run: async (world, record) => {
      const [named, other] = [await newDebt(world), await newDebt(world)];
      const { numeroReferencia } = other;
      const deposit = depositFor(named, 1_000, { numeroReferencia });
      record('status of the notice', 200, (await postDeposit(world.provider, deposit)).status);
      record('paid by idFactura', '0.00', pesos(await paidCents(world, named, 0)));
      record('paid by numeroReferencia', '0.00', pesos(await paidCents(world, other, 0)));
    },
  },
];
