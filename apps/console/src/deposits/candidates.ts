import { html, type Html, NOTHING } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { buttonLink, inFours, named, pesosOf } from '../frame/formats';
import { tablePart, unlessRefused } from '../frame/parts';
import type { StoreNames } from '../frame/names';
import { chooseColumn, chooseForm } from '../frame/several';
import { mayDo, type Visit } from '../frame/visit';
import { say, naming } from '../frame/words';
import { depositHref, depositName, findStoreForm } from './assign';
import { severalDeposits } from './assign-several';

/** On a store: the unmatched deposits that may be its own, for an owner who says that they paid; nothing without one. */
export async function possibleDeposits(
  { cornerStoreId }: { cornerStoreId: string },
  { viewer }: Visit,
): Promise<Html> {
  const title = say(
    'Depósitos sin asignar que podrían ser suyos',
    'Unmatched deposits that may be its own',
  );
  const assigns = mayDo(viewer, 'operator');
  const found = viewer.ops.cornerStores.listPossibleDeposits(cornerStoreId);
  const list = found.then(({ deposits }) => {
    const several = deposits.length > 1 && assigns && severalDeposits(cornerStoreId);
    return html`${tablePart<(typeof deposits)[number]>({
      title,
      href: depositHref,
      columns: [
        [say('Depósito', 'Deposit'), depositName, 'name'],
        [say('Recibido', 'Received'), 'receivedAt', 'when'],
        [say('Se parece en', 'Alike in'), ({ reasons }) => reasons.map(reasonName).join(', ')],
        [say('Monto', 'Amount'), 'valor', 'money'],
        assigns && [
          say('Acción', 'Action'),
          ({ depositId, valor }) => assignLink({ depositId, cornerStoreId }, pesosOf(valor)),
        ],
        several && chooseColumn(several),
      ],
      rows: deposits,
    })}
    ${several && chooseForm(several)}`;
  });
  return unlessRefused(list);
}

/** To the page that confirms an assignment. @param what its other end, for who hears the link alone */
function assignLink(
  { depositId, cornerStoreId }: { depositId: string; cornerStoreId: string },
  what: string,
): Html {
  const href = `/depositos/${depositId}/asignar?tienda=${cornerStoreId}`;
  const assign = say('Asignar', 'Assign');
  return buttonLink(href, assign, `${assign}: ${what}`);
}

type Deposit = AnswerOf<'showDeposit'>;
type Candidate = Deposit['candidates'][number];

/** On an unmatched deposit: the debts that it may be meant for. */
export function candidates(
  { depositId, status, candidates, pendingChange, names }: Deposit & { names: StoreNames },
  visit: Visit,
): Html {
  const { viewer } = visit;
  if (status !== 'unmatched') return NOTHING;
  const assigns = mayDo(viewer, 'operator') && pendingChange == null;
  const nameOf = ({ cornerStoreId, externalId }: Candidate): string =>
    names.get(cornerStoreId)?.name ?? externalId;
  const list = tablePart<Candidate>({
    title: say('Adeudos parecidos', 'Similar debts'),
    columns: [
      [say('Tienda', 'Store'), (candidate) => named(nameOf(candidate)), 'name'],
      [say('Factura', 'Invoice'), ({ idFactura }) => inFours(idFactura)],
      [say('Se parece en', 'Alike in'), ({ reasons }) => reasons.map(reasonName).join(', ')],
      [say('Debe', 'Due'), 'amountDue', 'money'],
      assigns && [
        say('Acción', 'Action'),
        (candidate) =>
          assignLink({ depositId, cornerStoreId: candidate.cornerStoreId }, nameOf(candidate)),
      ],
    ],
    rows: candidates,
    href: ({ cornerStoreId }) => `/tiendas/${cornerStoreId}`,
    empty: say('Ningún adeudo se le parece.', 'No debt resembles it.'),
  });
  return html`${list} ${assigns && findStoreForm(visit, depositId)}`;
}

const reasonName = naming({
  reference: ['la referencia', 'its reference'],
  'similar-reference': ['una referencia parecida', 'a similar reference'],
  amount: ['el mismo monto', 'the same amount'],
});
