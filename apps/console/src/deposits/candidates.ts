import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { inFours, pesosOf, when } from '../frame/formats';
import { partOf, table, tablePart, unlessRefused } from '../frame/lists';
import { storeLink, type StoreNames } from '../frame/store-names';
import { chooseColumn, chooseForm } from '../frame/several';
import { mayDo, type Visit } from '../frame/visit';
import { wordFor, type Say } from '../frame/words';
import { findStoreForm } from './assign';
import { SEVERAL } from './assign-several';

/** On a store: the unmatched deposits that may be its own, for an owner who says that they paid; nothing without one. */
export async function possibleDeposits(
  { viewer, say }: Visit,
  { cornerStoreId }: { cornerStoreId: string },
): Promise<Html> {
  const title = say(
    'Depósitos sin asignar que podrían ser suyos',
    'Unmatched deposits that may be its own',
  );
  const found = viewer.ops.cornerStores.listPossibleDeposits(cornerStoreId);
  const list = found.then(({ deposits }) => {
    if (deposits.length === 0) return NOTHING;
    const several = mayDo(viewer, 'operator') && deposits.length > 1;
    return html`${tablePart<(typeof deposits)[number]>({
      title,
      columns: [
        [
          say('Depósito', 'Deposit'),
          ({ depositId, idFactura, numeroReferencia }) =>
            html`<a href="/depositos/${depositId}">${inFours(idFactura || numeroReferencia)}</a>`,
          'name',
        ],
        [say('Recibido', 'Received'), ({ receivedAt }) => when(receivedAt), 'when'],
        [
          say('Se parece en', 'Alike in'),
          ({ reasons }) => reasons.map((one) => reasonName(one, say)).join(', '),
        ],
        [say('Monto', 'Amount'), ({ valor }) => pesosOf(valor), 'money'],
        mayDo(viewer, 'operator') && [
          say('Acción', 'Action'),
          ({ depositId, valor }) => assignLink({ depositId, cornerStoreId }, pesosOf(valor), say),
        ],
        several &&
          chooseColumn(say, 'deposito', ({ depositId, valor }) => ({
            id: depositId,
            called: pesosOf(valor),
          })),
      ],
      rows: deposits,
      empty: '',
    })}
    ${
      several
        ? chooseForm(SEVERAL, say('Asignar los elegidos', 'Assign the chosen ones'), {
            tienda: cornerStoreId,
          })
        : NOTHING
    }`;
  });
  return unlessRefused(list, say);
}

/** To the page that confirms an assignment. @param what its other end, for who hears the link alone */
function assignLink(
  { depositId, cornerStoreId }: { depositId: string; cornerStoreId: string },
  what: string,
  say: Say,
): Html {
  return html`<a
    class="button second"
    href="/depositos/${depositId}/asignar?tienda=${cornerStoreId}"
    aria-label="${say('Asignar', 'Assign')}: ${what}"
    >${say('Asignar', 'Assign')}</a
  >`;
}

type Candidate = AnswerOf<'showDeposit'>['candidates'][number];

/** On an unmatched deposit: the debts that it may be meant for. */
export function candidates(
  visit: Visit,
  { depositId, candidates, pendingChange }: AnswerOf<'showDeposit'>,
  names: StoreNames,
): Html {
  const { viewer, say } = visit;
  const name = say('Adeudos parecidos', 'Similar debts');
  const assigns = mayDo(viewer, 'operator') && pendingChange == null;
  const list = table<Candidate>(
    name,
    [
      [
        say('Tienda', 'Store'),
        ({ cornerStoreId, externalId }) => storeLink(names, cornerStoreId, externalId),
        'name',
      ],
      [say('Factura', 'Invoice'), ({ idFactura }) => inFours(idFactura)],
      [
        say('Se parece en', 'Alike in'),
        ({ reasons }) => reasons.map((one) => reasonName(one, say)).join(', '),
      ],
      [say('Debe', 'Due'), ({ amountDue }) => pesosOf(amountDue), 'money'],
      assigns && [
        say('Acción', 'Action'),
        ({ cornerStoreId, externalId }) =>
          assignLink(
            { depositId, cornerStoreId },
            names.get(cornerStoreId)?.name ?? externalId,
            say,
          ),
      ],
    ],
    candidates,
    say('Ningún adeudo se le parece.', 'No debt resembles it.'),
  );
  return html`${partOf(name, list)} ${assigns ? findStoreForm(visit, depositId) : NOTHING}`;
}

function reasonName(reason: string, say: Say): string {
  return wordFor(reason, {
    reference: say('la referencia', 'its reference'),
    'similar-reference': say('una referencia parecida', 'a similar reference'),
    amount: say('el mismo monto', 'the same amount'),
  });
}
