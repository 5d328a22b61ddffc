import type { CustomerLink } from '@fiado/contracts/corner-store';
import { same } from './compare';
import { INSTALLATION_ZONE, type Model } from './model/model';
import type { Message } from './system/messages';

/**
 * Compares what a new message carries with what the model has under that version. Of two steps at
 * the same time this also shows which came first, where their rows would not.
 */
export function comparePublished(model: Model, message: Message): void {
  const { type, aggregateId, aggregateVersion: version, data } = message;
  const what = `${type} ${aggregateId} version ${version}`;
  switch (type) {
    case 'corner-store.changed':
      same(what, termsIn(data), model.stores.get(aggregateId)?.versions[version - 1]);
      return;
    case 'payment.applied':
    case 'payment.reversed':
    case 'receivable.credited':
      same(
        what,
        { principalCents: data.outstandingPrincipalCents, totalCents: data.outstandingCents },
        model.debts.get(String(data.transactionId))?.versions[version - 1],
      );
      return;
    case 'defaults.changed': {
      const news = model.stores.get(aggregateId)?.defaults[version - 1];
      same(what, defaultsIn(data), {
        overdue: news?.overdue,
        opened: news?.opened.toSorted(),
        closed: news?.closed.toSorted(),
      });
      return;
    }
    default:
  }
}

function termsIn(data: Message['data']): object {
  const customers = (data.customers as CustomerLink[]).toSorted((one, other) =>
    one.wholesalerId < other.wholesalerId ? -1 : 1,
  );
  return {
    status: data.status,
    limitCents: data.creditLimitCents,
    interestRate: data.interestRate,
    timeZone: data.timeZone ?? INSTALLATION_ZONE,
    customerOf: customers.map(({ wholesalerId }) => wholesalerId),
    phoneChanges: customers.map(({ phoneChanges: count, phoneHeldUntil }) => ({
      count,
      heldUntil: phoneHeldUntil == null ? 0 : Date.parse(phoneHeldUntil),
    })),
    phoneUnprovenBy: data.phoneUnprovenBy,
  };
}

function defaultsIn(data: Message['data']): object {
  const [opened, closed] = [data.opened, data.closed] as string[][];
  return {
    overdue: Number(data.overdueCount) > 0,
    opened: opened?.toSorted(),
    closed: closed?.toSorted(),
  };
}
