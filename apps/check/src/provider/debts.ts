/** A delivered order that is not paid. */
export interface Debt {
  idFactura: string;
  numeroReferencia: string;
  /** Amount that was owed when the scenario began, in cents. */
  dueCents: number;
}

/** What has become of a debt, in cents. */
interface DebtState {
  paidCents: number;
  leftCents: number;
}

/** A customer that one scenario uses. */
export interface Customer {
  /** Its next debt, the oldest first. */
  nextDebt: () => Promise<Debt>;
}

/** Where the debts of the scenarios come from, and where it is seen what is paid. */
export interface Debts {
  /**
   * A customer that no other scenario uses.
   * @param count how many of its debts the scenario needs
   * @throws SkippedError if there is none
   */
  newCustomer: (count: number) => Promise<Customer>;
  read: (debt: Debt) => Promise<DebtState>;
  /** Pause between two looks at a debt, which is also how long a second effect may take. */
  pollMs: number;
}
