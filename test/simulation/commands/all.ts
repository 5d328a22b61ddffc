import * as fc from 'fast-check';
import { keepBooks } from '../books';
import { passTime } from '../history';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../model/model';
import * as accounts from './accounts';
import * as changes from './change-orders';
import * as deposits from './deposits';
import * as messages from './messages';
import * as money from './money';
import * as orders from './place-orders';
import * as statements from './statements';
import { alone, draw, together, type Command, type DrawnStep } from './step';

const wait: fc.Arbitrary<Command> = fc
  .constantFrom(HOUR_MS, DAY_MS, 9 * MINUTE_MS, 15 * DAY_MS, 31 * DAY_MS)
  .map((ms) => ({
    check: () => true,
    run: async (history) => {
      history.log.push(`${ms / MINUTE_MS} minutes pass`);
      await passTime(history, ms);
      await keepBooks(history.system);
    },
    toString: () => 'wait',
  }));

/** Steps that may run at the same time as another one: each is one change of one service's database. */
const BESIDE: fc.Arbitrary<DrawnStep> = fc.oneof(
  { weight: 5, arbitrary: draw(orders.order) },
  { weight: 3, arbitrary: draw(orders.batch) },
  { weight: 3, arbitrary: draw(changes.deliver) },
  { weight: 2, arbitrary: draw(changes.credit) },
  { weight: 1, arbitrary: draw(statements.close) },
  { weight: 2, arbitrary: draw(changes.cancel) },
  { weight: 1, arbitrary: draw(changes.expire) },
  { weight: 8, arbitrary: draw(messages.deliverMessage) },
  { weight: 2, arbitrary: draw(messages.repeatMessage) },
  { weight: 2, arbitrary: draw(money.assign) },
  { weight: 3, arbitrary: draw(money.reverse) },
  { weight: 2, arbitrary: draw(money.unassign) },
  { weight: 1, arbitrary: draw(accounts.changeTerms) },
);

/** Two orders at once that each take most of what one store has left. */
const race: fc.Arbitrary<Command> = together(
  fc
    .tuple(orders.largeOrder.picks, orders.largeOrder.picks)
    .map(([one, other]): [DrawnStep, DrawnStep] => [
      (history) => orders.largeOrder.plan(history, one),
      (history) => orders.largeOrder.plan(history, { ...other, store: one.store }),
    ]),
);

/** How often each step is drawn, against the others. */
const WEIGHTS: Array<[number, fc.Arbitrary<Command>]> = [
  [10, alone(draw(orders.order))],
  [3, alone(draw(orders.batch))],
  [2, alone(draw(orders.link))],
  [12, alone(draw(changes.confirm))],
  [2, alone(draw(changes.resend))],
  [2, alone(draw(changes.openLink))],
  [12, alone(draw(changes.deliver))],
  [4, alone(draw(changes.credit))],
  [3, alone(draw(changes.dispute))],
  [2, alone(draw(changes.keepDispute))],
  [3, alone(draw(statements.close))],
  [2, alone(draw(changes.cancel))],
  [2, alone(draw(changes.expire))],
  [10, alone(draw(deposits.deposit))],
  [1, alone(draw(deposits.repeatDeposit))],
  [4, alone(draw(money.assign))],
  [4, alone(draw(money.unassign))],
  [4, alone(draw(money.reverse))],
  [3, alone(draw(money.detect))],
  [1, alone(draw(money.readPayment))],
  [2, alone(draw(accounts.changeTerms))],
  [1, alone(draw(accounts.decideStore))],
  [1, alone(draw(accounts.changeSettings))],
  [2, alone(draw(accounts.changePhone))],
  [1, alone(draw(accounts.clearPhoneHold))],
  [1, alone(draw(accounts.toggleAccounts))],
  [20, alone(draw(messages.deliverMessage))],
  [3, alone(draw(messages.repeatMessage))],
  [2, messages.deliverAllWaiting],
  [4, wait],
  [8, together(fc.tuple(BESIDE, BESIDE))],
  [3, race],
];

export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  ...WEIGHTS.map(([weight, arbitrary]) => ({ weight, arbitrary })),
);
