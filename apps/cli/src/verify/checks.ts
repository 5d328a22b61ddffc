import type { Schema } from '@fiado/ops-client/operations';
import type { CornerStoreSums } from './corner-store-sums';

/** An invariant across services for each corner store. */
export interface CrossCheck {
  name: string;
  /** The differing values; undefined if the services agree. */
  differenceIn: (sums: CornerStoreSums) => object | undefined;
}

/** The digest of no debts. */
const NO_DEBTS = 'd41d8cd98f00b204e9800998ecf8427e';

/** A store that transactions does not know has bought nothing there. */
const NO_LINE = {
  overdue: false,
  overdueVersion: 0,
  usedCents: 0,
  heldCents: 0,
  debts: 0,
  debtsDigest: NO_DEBTS,
} satisfies Partial<Schema<'TransactionsSums'>>;
/** payments knows a store from its first receivable on. */
const NOTHING_OWED = {
  owedPrincipalCents: 0,
  overdueCount: 0,
  overdueVersion: 0,
  debts: 0,
  debtsDigest: NO_DEBTS,
} satisfies Partial<Schema<'PaymentsSums'>>;

/** The check whose difference is shown order by order. */
export const DEBTS_CHECK = 'each delivered order is equal in transactions and payments';

/** The invariants across services. */
export const CROSS_CHECKS: CrossCheck[] = [
  {
    name: 'accounts and transactions know the same corner stores',
    differenceIn: ({ accounts, transactions, payments }) => {
      const known = {
        accounts: accounts !== undefined,
        transactions: transactions !== undefined,
        payments: payments !== undefined,
      };
      return known.accounts && known.transactions ? undefined : known;
    },
  },
  {
    name: 'a corner store has the same user in each service',
    differenceIn: ({ accounts, transactions, payments }) => {
      const users = [accounts, transactions, payments].flatMap((sums) => sums?.userId ?? []);
      return new Set(users).size <= 1
        ? undefined
        : {
            accounts: accounts?.userId,
            transactions: transactions?.userId,
            payments: payments?.userId,
          };
    },
  },
  {
    name: 'limit, interest rate and status are equal in accounts and transactions',
    differenceIn: ({ accounts, transactions }) => {
      if (accounts === undefined || transactions === undefined) return undefined;
      const alike =
        accounts.creditLimitCents === transactions.limitCents &&
        Number(accounts.interestRate) === Number(transactions.interestRate) &&
        accounts.status === transactions.status;
      return alike
        ? undefined
        : {
            accounts: termsOf(accounts, accounts.creditLimitCents),
            transactions: termsOf(transactions, transactions.limitCents),
          };
    },
  },
  {
    name: 'transactions has the phone number and the version of accounts',
    differenceIn: ({ accounts, transactions }) => {
      if (accounts === undefined || transactions === undefined) return undefined;
      const hasPhone = accounts.phoneDigest === transactions.phoneDigest;
      const versions = { accounts: accounts.version, transactions: transactions.version };
      return hasPhone && versions.accounts === versions.transactions
        ? undefined
        : { samePhone: hasPhone, versions };
    },
  },
  {
    name: 'customer links are equal in accounts and transactions',
    differenceIn: ({ accounts, transactions }) =>
      unlessSameDigest(accounts?.customersDigest, transactions?.customersDigest),
  },
  {
    name: "wholesalers' settings are equal in accounts and transactions",
    differenceIn: ({ accounts, transactions }) =>
      unlessSameDigest(accounts?.settingsDigest, transactions?.settingsDigest),
  },
  {
    name: DEBTS_CHECK,
    differenceIn: ({ transactions = NO_LINE, payments = NOTHING_OWED }) =>
      transactions.debtsDigest === payments.debtsDigest
        ? undefined
        : { transactionsDebts: transactions.debts, paymentsDebts: payments.debts },
  },
  {
    name: 'used credit equals holds plus outstanding principal',
    differenceIn: ({ transactions = NO_LINE, payments = NOTHING_OWED }) => {
      const { usedCents, heldCents } = transactions;
      const { owedPrincipalCents: owedCents } = payments;
      return usedCents === heldCents + owedCents ? undefined : { usedCents, heldCents, owedCents };
    },
  },
  {
    name: 'accounts and transactions have the overdue status of payments',
    differenceIn: ({ accounts, transactions = NO_LINE, payments = NOTHING_OWED }) => {
      const { overdueCount, overdueVersion } = payments;
      const said = { accounts: accounts?.overdue ?? false, transactions: transactions.overdue };
      // A copy that is ahead would ignore later events.
      const versions = {
        accounts: accounts?.overdueVersion ?? 0,
        transactions: transactions.overdueVersion,
        payments: overdueVersion,
      };
      const alike =
        Object.values(said).every((overdue) => overdue === overdueCount > 0) &&
        new Set(Object.values(versions)).size === 1;
      return alike ? undefined : { ...said, overdueCount, versions };
    },
  },
];

/** Another check reports a store that one of the services does not know. */
function unlessSameDigest(
  accounts: string | undefined,
  transactions: string | undefined,
): object | undefined {
  if (accounts === undefined || transactions === undefined) return undefined;
  return accounts === transactions ? undefined : { accounts, transactions };
}

function termsOf(
  { interestRate, status }: { interestRate: string; status: string },
  limitCents: number,
): object {
  return { limitCents, interestRate, status };
}
