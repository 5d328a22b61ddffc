import type { ItemOf } from '@fiado/ops-client/operations';
import { html } from '@fiado/chassis/html';
import type { Say } from '../words';
import { lastDayOf, pesosOf, textOf } from './formats';
import type { Columns } from './list-page';
import { debtStatusName, messageStatusName } from './status-words';

/** An order's number, which leads to its page. */
export function orderColumn(
  say: Say,
): Columns<ItemOf<'listOpsTransactions', 'transactions'>>[number] {
  return [
    say('Pedido', 'Order'),
    ({ transactionId, incrementalID }) =>
      html`<a href="/pedidos/${transactionId}">${textOf(incrementalID)}</a>`,
  ];
}

/** State, amounts and last day of a debt. */
export function debtColumns(say: Say): Columns<ItemOf<'listReceivables', 'receivables'>> {
  return [
    [say('Estado', 'Status'), ({ status }) => debtStatusName(status, say)],
    [say('Debe', 'Due'), ({ amountDue }) => pesosOf(amountDue)],
    [say('Pagado', 'Paid'), ({ amountPaid }) => pesosOf(amountPaid)],
    [say('Vence', 'Last day'), (debt) => lastDayOf(debt)],
  ];
}

/** Kind, phone and outcome of a message. */
export function messageColumns(say: Say): Columns<ItemOf<'listMessages', 'messages'>> {
  return [
    [say('Mensaje', 'Message'), ({ template }) => template],
    [say('Teléfono', 'Phone'), ({ phoneNumber }) => textOf(phoneNumber)],
    [say('Estado', 'Status'), ({ status }) => messageStatusName(status, say)],
    [say('Motivo', 'Reason'), ({ reason }) => textOf(reason)],
  ];
}
