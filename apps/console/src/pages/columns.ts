import { html } from '@fiado/shared/html';
import type { Say } from '../words';
import { lastDayOf, pesosOf, textOf } from './formats';
import type { Listing } from './list-page';
import { debtStatusName, messageStatusName } from './status-words';

type Columns = Listing<Record<string, unknown>>['columns'];

/** An order's number, which leads to its page. */
export function orderColumn(say: Say): Columns[number] {
  return [
    say('Pedido', 'Order'),
    (order) =>
      html`<a href="/pedidos/${textOf(order['transactionId'])}"
        >${textOf(order['incrementalID'])}</a
      >`,
  ];
}

/** State, amounts and last day of a debt. */
export function debtColumns(say: Say): Columns {
  return [
    [say('Estado', 'Status'), (debt) => debtStatusName(debt['status'], say)],
    [say('Debe', 'Due'), (debt) => pesosOf(debt['amountDue'])],
    [say('Pagado', 'Paid'), (debt) => pesosOf(debt['amountPaid'])],
    [say('Vence', 'Last day'), (debt) => lastDayOf(debt)],
  ];
}

/** Kind, phone and outcome of a message. */
export function messageColumns(say: Say): Columns {
  return [
    [say('Mensaje', 'Message'), (message) => textOf(message['template'])],
    [say('Teléfono', 'Phone'), (message) => textOf(message['phoneNumber'])],
    [say('Estado', 'Status'), (message) => messageStatusName(message['status'], say)],
    [say('Motivo', 'Reason'), (message) => textOf(message['reason'])],
  ];
}
