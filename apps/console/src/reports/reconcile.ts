import { type CsvError, parse } from 'csv-parse/sync';
import { html, type Html } from '@fiado/chassis/html';
import { foldKey } from '@fiado/contracts/fold-key';
import {
  addPayment,
  type Difference,
  differencesOf,
  type Payments,
} from '@fiado/ops-client/reconcile-deposits';
import { providerChoices } from '../deposits/deposit-list';
import { dayIn, daysAfter } from '../frame/filters';
import { dateField, form } from '../frame/form';
import { dayAt, dayOf } from '../frame/formats';
import { card, tablePart } from '../frame/parts';
import { fieldOf, queryOf, type Page, type Visit } from '../frame/visit';
import { say, stateBadge, naming } from '../frame/words';

/** The page that compares a payment provider's file. */
export const RECONCILE_PATH = '/reportes/conciliar';

/** Longest file, in bytes: some 20,000 payments. It is one field of a form. */
export const FILE_LIMIT = 1024 * 1024;

/** Differences that a page shows. With more it is the wrong file, or the wrong day. */
const MAX_SHOWN = 100;

/** The form: the provider, the day, and its file. */
export async function showReconcile(
  visit: Visit,
  { result, file = fieldOf(visit, 'file') }: { result?: Html; file?: string } = {},
): Promise<Page> {
  const yesterday = daysAfter(dayAt(new Date().toISOString()), -1);
  return {
    path: ['/reportes', say('Reportes', 'Reports')],
    title: say('Conciliar un archivo', 'Reconcile a file'),
    lead: say(
      'Compara el archivo de un proveedor con los depósitos de su día. No cambia nada.',
      'Compares the file of a provider with the deposits of its day. It changes nothing.',
    ),
    content: html`${result}
    ${card(
      say('Archivo', 'File'),
      form(visit, {
        action: RECONCILE_PATH,
        button: say('Comparar', 'Compare'),
        fields: [
          {
            name: 'provider',
            label: say('Proveedor', 'Provider'),
            value: fieldOf(visit, 'provider') || queryOf(visit, 'proveedor'),
            options: await providerChoices(visit),
          },
          dateField(
            'day',
            say('Día', 'Day'),
            fieldOf(visit, 'day') || dayIn(visit, 'dia') || yesterday,
          ),
          {
            name: 'file',
            label: say('Contenido del archivo', 'Content of the file'),
            hint: say(
              'CSV con las columnas claveDePago y valor. Elige el archivo, o pega su contenido.',
              'CSV with the columns claveDePago and valor. Choose the file, or paste its content.',
            ),
            value: file,
            isFile: true,
          },
        ],
      }),
    )}`,
  };
}

/** Compares the file of the form, and shows the form again. */
export async function reconcile(visit: Visit): Promise<Page> {
  const [provider, day] = [fieldOf(visit, 'provider'), fieldOf(visit, 'day')];
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day))) {
    return refused(visit, say('El día no es válido.', 'The day is not valid.'));
  }
  const read = paymentsIn(fieldOf(visit, 'file'));
  if (typeof read === 'string') return refused(visit, read);
  const differences = await differencesOf(visit.viewer.ops, read, { provider, day, fold: foldKey });
  const count = read.size.toLocaleString('es-MX');
  const found = differences.length;
  const result = html`<p class="notice ${found === 0 && 'done'}" role="status">
      ${
        found === 0
          ? say(`Todo coincide: ${count} pagos.`, `All agree: ${count} payments.`)
          : say(
              `Hay ${found === 1 ? 'una diferencia' : `${found} diferencias`} en ${count} pagos.`,
              `There ${found === 1 ? 'is one difference' : `are ${found} differences`} in ${count} payments.`,
            )
      }
    </p>
    ${differencesPart(differences, provider, day)}`;
  return showReconcile(visit, { result, file: '' });
}

function refused(visit: Visit, text: string): Promise<Page> {
  return showReconcile(visit, { result: html`<div class="problem" role="alert">${text}</div>` });
}

function differencesPart(differences: Difference[], provider: string, day: string): Html {
  return tablePart<Difference>({
    title: `${provider}, ${dayOf(day)}`,
    note:
      differences.length > MAX_SHOWN &&
      say(
        `Las primeras ${MAX_SHOWN}. Todas: fiado deposits reconcile.`,
        `The first ${MAX_SHOWN}. All of them: fiado deposits reconcile.`,
      ),
    href: ({ depositId }) => (depositId === null ? undefined : `/depositos/${depositId}`),
    columns: [
      [say('Clave de pago', 'Key of the payment'), 'claveDePago', 'name'],
      [say('Diferencia', 'Difference'), ({ difference }) => differenceName(difference)],
      [
        say('Estado', 'State'),
        ({ status }) => status !== null && stateBadge('deposit', status),
        'state',
      ],
      [say('En el archivo', 'In the file'), 'file', 'figure'],
      [say('En Fiado', 'In Fiado'), 'valor', 'money'],
    ],
    rows: differences.slice(0, MAX_SHOWN),
  });
}

const differenceName = naming({
  'missing-here': [
    'No llegó: pide que lo reporten otra vez',
    'It did not arrive: ask for it again',
  ],
  'missing-there': [
    'No está en el archivo: no cuentes con él',
    'The file does not have it: do not rely on it',
  ],
  'other-amount': ['Otro monto', 'Another amount'],
  'reversed-here': ['Está revertido', 'It is reversed'],
});

/** @returns the payments, or what is wrong with the file */
export function paymentsIn(text: string): Payments | string {
  const payments: Payments = new Map();
  let rows: Array<{ info: { lines: number }; record: Record<string, string> }>;
  try {
    rows = parse(text, {
      bom: true,
      columns: true,
      info: true,
      trim: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    return say(
      `El archivo no es CSV: ${(error as CsvError).message}`,
      `The file is not CSV: ${(error as CsvError).message}`,
    );
  }
  if (rows.length === 0) return say('El archivo no tiene pagos.', 'The file has no payment.');
  for (const { info, record } of rows) {
    const wrong = addPayment(payments, record, foldKey);
    if (wrong === undefined) continue;
    const { lines } = info;
    return {
      'no-column': say(
        'Faltan las columnas claveDePago y valor.',
        'The columns claveDePago and valor are missing.',
      ),
      'no-payment': say(
        `Renglón ${lines}: falta la clave, o un valor como 529.00.`,
        `Line ${lines}: needs a claveDePago and a valor such as 529.00.`,
      ),
      'not-utf-8': say(`Renglón ${lines}: no es UTF-8.`, `Line ${lines}: is not UTF-8.`),
      twice: say(
        `Renglón ${lines}: ${record['claveDePago']} está dos veces.`,
        `Line ${lines}: ${record['claveDePago']} is there twice.`,
      ),
    }[wrong];
  }
  return payments;
}
