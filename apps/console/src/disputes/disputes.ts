import { list, type Listing } from '../frame/lists';
import { storeColumn, storeNames, type StoreNames, wholesalerFilter } from '../frame/names';
import { change, type Route } from '../frame/serve';
import type { Visit } from '../frame/visit';
import { say } from '../frame/words';
import { channelName, dispute } from './dispute';

export const disputeRoutes: Route[] = [
  list('/disputas', disputesOf),
  dispute,
  change(dispute, 'mantener', 'decidido', 'keepDispute'),
  change(dispute, 'acreditar', 'decidido', 'creditDispute'),
];

/** Orders that stores say are not their own: those to decide, the longest open first. */
function disputesOf(visit: Visit): Listing<'listDisputes', StoreNames> {
  return {
    of: 'listDisputes',
    title: say('Disputas', 'Disputes'),
    lead: say(
      'Pedidos entregados que la tienda no reconoce. Mientras se decide no se recuerdan, y los que no están ya en una liquidación no se liquidan.',
      'Delivered orders that their store does not know. Until they are decided nobody is reminded, and those that no statement has yet are not settled.',
    ),
    states: {
      kind: 'dispute',
      all: say('Todas', 'All'),
      shown: ['open', 'kept', 'credited', 'todas'],
    },
    filters: [wholesalerFilter(visit)],
    empty: say('Ninguna disputa así.', 'No such dispute.'),
    names: (disputes) => storeNames(visit, disputes),
    href: ({ disputeId }) => `/disputas/${disputeId}`,
    columns: [
      [say('Pedido', 'Order'), 'incrementalID', 'name'],
      [say('Desde', 'Since'), 'openedAt', 'when'],
      storeColumn(),
      [say('Mayorista', 'Wholesaler'), 'wholesaler'],
      [say('Por', 'By'), ({ openedBy }) => channelName(openedBy)],
      [say('Estado', 'Status'), 'status', 'dispute'],
      [say('Total', 'Total'), 'totalAmountWithInterests', 'money'],
    ],
  };
}
