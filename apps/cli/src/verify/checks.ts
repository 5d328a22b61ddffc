import type { Schema } from '../operations';
import type { CornerStoreSums } from './corner-store-sums';

/** An invariant across services for each corner store. */
export interface CrossCheck {
  name: string;
  /** The differing values; undefined if the services agree. */
  differenceIn: (sums: CornerStoreSums) => object | undefined;
}

/** A store that transactions does not know has bought nothing there. */
const NO_LINE = {
  overdue: false,
  usedCents: 0,
  heldCents: 0,
  deliveredCents: 0,
  deliveredInterestCents: 0,
  deliveredIvaCents: 0,
  paidCount: 0,
  repaidCents: 0,
} satisfies Partial<Schema<'TransactionsSums'>>;
/** payments knows a store from its first receivable on. */
const NOTHING_OWED: Omit<Schema<'PaymentsSums'>, 'cornerStoreId'> = {
  principalCents: 0,
  principalPaidCents: 0,
  interestCents: 0,
  ivaCents: 0,
  paidCount: 0,
  overdueCount: 0,
};

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
    name: 'limit, interest rate and status are equal in accounts and transactions',
    differenceIn: ({ accounts, transactions }) => {
      if (accounts === undefined || transactions === undefined) return undefined;
      const alike =
        accounts.creditLimitCents === transactions.limitCents &&
        Number(accounts.interestRate) === Number(transactions.interestRate) &&
        accounts.status === transactions.status;
      return alike
        ? undefined
        : { accounts: termsOf(accounts), transactions: lineOf(transactions) };
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
    name: 'delivered amounts in transactions equal the principal in payments',
    differenceIn: ({ transactions = NO_LINE, payments = NOTHING_OWED }) =>
      unlessEqual({
        deliveredCents: transactions.deliveredCents,
        principalCents: payments.principalCents,
      }),
  },
  {
    name: 'interest and IVA of deliveries are equal in transactions and payments',
    differenceIn: ({ transactions = NO_LINE, payments = NOTHING_OWED }) =>
      unlessEqual({
        deliveredInterestCents: transactions.deliveredInterestCents,
        interestCents: payments.interestCents,
      }) ??
      unlessEqual({
        deliveredIvaCents: transactions.deliveredIvaCents,
        ivaCents: payments.ivaCents,
      }),
  },
  {
    name: 'as many orders are paid in transactions as receivables in payments',
    differenceIn: ({ transactions = NO_LINE, payments = NOTHING_OWED }) =>
      unlessEqual({
        paidOrders: transactions.paidCount,
        paidReceivables: payments.paidCount,
      }),
  },
  {
    name: 'repaid amounts in transactions equal the paid principal in payments',
    differenceIn: ({ transactions = NO_LINE, payments = NOTHING_OWED }) =>
      unlessEqual({
        repaidCents: transactions.repaidCents,
        principalPaidCents: payments.principalPaidCents,
      }),
  },
  {
    name: 'used credit equals holds plus outstanding principal',
    differenceIn: ({ transactions = NO_LINE, payments = NOTHING_OWED }) => {
      const { usedCents, heldCents } = transactions;
      const owedCents = payments.principalCents - payments.principalPaidCents;
      return usedCents === heldCents + owedCents ? undefined : { usedCents, heldCents, owedCents };
    },
  },
  {
    name: 'accounts and transactions have the overdue status of payments',
    differenceIn: ({ accounts, transactions = NO_LINE, payments = NOTHING_OWED }) => {
      const { overdueCount } = payments;
      const said = { accounts: accounts?.overdue ?? false, transactions: transactions.overdue };
      const alike = Object.values(said).every((overdue) => overdue === overdueCount > 0);
      return alike ? undefined : { ...said, overdueCount };
    },
  },
];

function unlessEqual(two: Record<string, number>): object | undefined {
  const [first, second] = Object.values(two);
  return first === second ? undefined : two;
}

/** Another check reports a store that one of the services does not know. */
function unlessSameDigest(
  accounts: string | undefined,
  transactions: string | undefined,
): object | undefined {
  if (accounts === undefined || transactions === undefined) return undefined;
  return accounts === transactions ? undefined : { accounts, transactions };
}

function termsOf({
  creditLimitCents,
  interestRate,
  status,
}: NonNullable<CornerStoreSums['accounts']>) {
  return { limitCents: creditLimitCents, interestRate, status };
}

function lineOf({ limitCents, interestRate, status }: Schema<'TransactionsSums'>) {
  return { limitCents, interestRate, status };
}
