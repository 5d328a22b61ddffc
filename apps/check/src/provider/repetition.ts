import type { Scenario } from '../scenario';
import { postAndCut, postDeposit } from './post-deposit';
import { depositFor, newDebt, paidCents, pesos, type World } from './world';

const REPETITIONS = 50;

/** A deposit counts once, however often its notice comes. */
export const REPETITION: Array<Scenario<World>> = [
  {
    id: 'D05',
    title: { en: 'The same notice 50 times at once', es: 'El mismo aviso 50 veces a la vez' },
    rule: {
      en: 'The same claveDePago with the same body takes effect once and gets the same depositId.',
      es: 'La misma claveDePago con el mismo cuerpo tiene efecto una vez y recibe el mismo depositId.',
    },
    run: async (world, record) => {
      const debt = await newDebt(world);
      const deposit = depositFor(debt, 1_000);
      const answers = await Promise.all(
        Array.from({ length: REPETITIONS }, () => postDeposit(world.provider, deposit)),
      );
      const [first] = answers;
      const ids = new Set(answers.map(({ status, text }) => `${status} ${idOf(text)}`));
      record('status', 200, first?.status ?? 0);
      record('different statuses and deposits', 1, ids.size);
      record('paid', '10.00', pesos(await paidCents(world, debt, 1_000)));
    },
  },
  {
    id: 'D06',
    title: {
      en: 'The same claveDePago with another body',
      es: 'La misma claveDePago con otro cuerpo',
    },
    rule: {
      en: 'The second body is refused with 409; the first one stays.',
      es: 'El segundo cuerpo se rechaza con 409; el primero queda.',
    },
    run: async (world, record) => {
      const debt = await newDebt(world);
      const first = depositFor(debt, 1_000);
      await postDeposit(world.provider, first);
      await paidCents(world, debt, 1_000);
      const { status } = await postDeposit(world.provider, { ...first, valor: 20 });
      record('status of the other body', 409, status);
      record('status of the first body', 200, (await postDeposit(world.provider, first)).status);
      record('paid', '10.00', pesos(await paidCents(world, debt, 1_000)));
    },
  },
  {
    id: 'D07',
    title: { en: 'The connection is cut, then again', es: 'Se corta la conexión, y otra vez' },
    rule: {
      en: 'A notice without an answer is sent again, and takes effect once.',
      es: 'Un aviso sin respuesta se repite, y tiene efecto una vez.',
    },
    run: async (world, record) => {
      const debt = await newDebt(world);
      const deposit = depositFor(debt, 1_000);
      await postAndCut(world.provider, deposit);
      await postAndCut(world.provider, deposit);
      record('status of the repetition', 200, (await postDeposit(world.provider, deposit)).status);
      record('paid', '10.00', pesos(await paidCents(world, debt, 1_000)));
    },
  },
  {
    id: 'D18',
    title: { en: 'Kept before it is acknowledged', es: 'Guardado antes de aceptarse' },
    rule: {
      en: 'A 200 means that the deposit is stored: at once, another body under its key is a conflict.',
      es: 'Un 200 significa que el depósito está guardado: de inmediato, otro cuerpo con su clave es un conflicto.',
    },
    run: async (world, record) => {
      const debt = await newDebt(world);
      const first = depositFor(debt, 1_000);
      record('status of the notice', 200, (await postDeposit(world.provider, first)).status);
      const { status } = await postDeposit(world.provider, { ...first, valor: 20 });
      record('status of another body right after', 409, status);
    },
  },
];

function idOf(text: string): string {
  try {
    return String((JSON.parse(text) as { depositId?: unknown }).depositId);
  } catch {
    return text;
  }
}
