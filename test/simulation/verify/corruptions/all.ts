import { ACCOUNTS } from './accounts';
import { BALANCES } from './balances';
import type { Corruption } from './corruption';
import { DEPOSITS } from './deposits';
import { LEDGERS } from './ledgers';
import { NOTIFIER } from './notifier';
import { ORDERS } from './orders';
import { PORTFOLIO } from './portfolio';
import { RECEIVABLES } from './receivables';
import { STATEMENTS } from './statements';

export const CORRUPTIONS: Corruption[] = [
  ...ACCOUNTS,
  ...LEDGERS,
  ...ORDERS,
  ...RECEIVABLES,
  ...DEPOSITS,
  ...BALANCES,
  ...PORTFOLIO,
  ...STATEMENTS,
  ...NOTIFIER,
];
