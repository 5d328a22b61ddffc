import type { Scenario } from '../scenario';
import { postDeposit, type Deposit } from './post-deposit';
import { depositFor, newDebt, paidCents, pesos, type World } from './world';

const DAY_MS = 24 * 60 * 60_000;

/** A wrong request gets a 4xx and changes nothing. */
export const REFUSALS: Array<Scenario<World>> = [
  {
    id: 'D10',
    title: { en: 'Amounts that are none', es: 'Montos que no lo son' },
    rule: {
      en: 'valor is a positive number with at most two decimals; anything else is 400.',
      es: 'valor es un número positivo con dos decimales a lo más; lo demás es 400.',
    },
    run: async (world, record) => {
      const debt = await newDebt(world);
      for (const valor of ['0', '-1', '0.001', '1e309', '"10"', 'null']) {
        const body = JSON.stringify({ ...depositFor(debt, 0), valor: '$' }).replace('"$"', valor);
        record(`valor ${valor}`, 400, (await postDeposit(world.provider, body)).status);
      }
      record('paid', '0.00', pesos(await paidCents(world, debt, 0)));
    },
  },
  {
    id: 'D11',
    title: { en: 'Dates', es: 'Fechas' },
    rule: {
      en: 'fechaPago is YYYY-MM-DD HH:MM:SS.SSS on the clock of the provider; a date that does not exist, or another format, is 400.',
      es: 'fechaPago es YYYY-MM-DD HH:MM:SS.SSS en el reloj del proveedor; una fecha que no existe, u otro formato, es 400.',
    },
    run: async (world, record) => {
      const debt = await newDebt(world);
      // The end of this day may be more than a day ahead: it is read on a clock that is behind ours.
      const day = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
      const dates: Array<[string, number]> = [
        [`${day} 23:59:59.999`, 200],
        [`${day} 00:00:00.000`, 200],
        ['2026-02-30 10:00:00.000', 400],
        ['2026-13-01 10:00:00.000', 400],
        [`${day} 24:00:00.000`, 400],
        [`${day}T10:00:00.000Z`, 400],
        [day, 400],
        ['', 400],
      ];
      for (const [fechaPago, expected] of dates) {
        const deposit = depositFor(debt, 100, { fechaPago });
        record(
          `fechaPago "${fechaPago}"`,
          expected,
          (await postDeposit(world.provider, deposit)).status,
        );
      }
      record('paid', '2.00', pesos(await paidCents(world, debt, 200)));
    },
  },
  {
    id: 'D12',
    title: { en: 'Who may notify', es: 'Quién puede avisar' },
    rule: {
      en: 'The key must be of that provider: 401 without a valid key, 403 with another name or another kind of key.',
      es: 'La llave debe ser de ese proveedor: 401 sin llave válida, 403 con otro nombre u otro tipo de llave.',
    },
    run: async (world, record) => {
      const debt = await newDebt(world);
      const { provider, wholesalerKey } = world;
      const post = async (changes: Partial<typeof provider>): Promise<number> => {
        const deposit: Deposit = depositFor(debt, 100);
        return (await postDeposit({ ...provider, ...changes }, deposit)).status;
      };
      record('no key', 401, await post({ key: '' }));
      record('an unknown key', 401, await post({ key: `fiado_test_${'x'.repeat(43)}` }));
      if (wholesalerKey !== undefined) {
        record("a wholesaler's key", 403, await post({ key: wholesalerKey }));
      }
      record('another name', 403, await post({ name: `${provider.name} 2` }));
      record('paid', '0.00', pesos(await paidCents(world, debt, 0)));
    },
  },
  {
    id: 'D17',
    title: {
      en: 'Accents, long references, BOM, CRLF',
      es: 'Acentos, referencias largas, BOM, CRLF',
    },
    rule: {
      en: 'References are free text. No text makes a 5xx.',
      es: 'Las referencias son texto libre. Ningún texto causa un 5xx.',
    },
    run: async (world, record) => {
      const debt = await newDebt(world);
      const plain = depositFor(debt, 100);
      const long = { idFactura: 'á'.repeat(200), numeroReferencia: '9'.repeat(200) };
      const accents = { ...plain, claveDePago: `PAGÓ-Ñ-${plain.claveDePago.slice(-20)}` };
      const crlf = JSON.stringify(depositFor(debt, 100), null, 2).replaceAll('\n', '\r\n');
      record(
        '200 characters',
        200,
        (await postDeposit(world.provider, depositFor(debt, 100, long))).status,
      );
      record('accents in the key', 200, (await postDeposit(world.provider, accents)).status);
      record('the same again', 200, (await postDeposit(world.provider, accents)).status);
      record('CRLF between the fields', 200, (await postDeposit(world.provider, crlf)).status);
      const { status } = await postDeposit(world.provider, `\uFEFF${JSON.stringify(plain)}`);
      record('a BOM before the body is no 5xx', 'true', String(status < 500));
    },
  },
];
