import { queryOne } from '@fiado/chassis/db/query';
import { requestChange } from '@fiado/chassis/outbox/waiting-changes';
import { ops, staffMember, wholesaler } from '@fiado/chassis/testing/callers';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { dayAfter } from '@fiado/contracts/clock';
import { decideChangeRequest } from '../../../services/accounts/src/approvals/decide-change-request';
import { approveCornerStore } from '../../../services/accounts/src/corner-stores/approve-corner-store';
import { changePhone } from '../../../services/accounts/src/verification/change-phone';
import { createWholesaler } from '../../../services/accounts/src/wholesalers/create-wholesaler';
import { importCustomers } from '../../../services/accounts/src/corner-stores/import-customers';
import { startVerification } from '../../../services/accounts/src/verification/start-verification';
import { assignDeposit } from '../../../services/payments/src/deposits/assign-deposit';
import { detectDefaults } from '../../../services/payments/src/defaults/detect-defaults';
import { reverseDeposit } from '../../../services/payments/src/deposits/reverse-deposit';
import { insertPrivacyRequest } from '../../../services/accounts/src/privacy/open-privacy-request';
import { writeOffReceivable } from '../../../services/payments/src/portfolio/write-off-receivable';
import { fillPortfolio } from '../../../services/payments/src/portfolio/fill-portfolio';
import { unassignDeposit } from '../../../services/payments/src/deposits/unassign-deposit';
import { cancelOrder } from '../../../services/transactions/src/orders/cancel-order';
import { createBatch } from '../../../services/transactions/src/orders/create-batch';
import { createInvoice } from '../../../services/transactions/src/invoices/create-invoice';
import { closeStatement } from '../../../services/transactions/src/statements/close-statements';
import { giveCreditNote } from '../../../services/transactions/src/credit-notes/give-credit-note';
import { made } from '../begin';
import type { System } from '../system/system';
import { createActions, PRODUCTS } from './actions';

const TERMS = { creditLimitCents: 1_000_000, interestRate: '0.05' };
const SETTINGS = {
  minimumTransactionCents: 100,
  commissionRate: '0.02',
  paymentTermDays: 14,
  confirmationRequired: true,
  deliveryOverageRate: '0.10',
  deliveryWordEnabled: true,
  deliveryWordRequired: false,
};
const DAY_MS = 86_400_000;
/** 18:00 UTC, so that no step falls into the minutes around midnight, when the day before is not in the books yet. */
const NOON_IN_MEXICO_MS = 18 * 60 * 60_000;
/** Two days after the payment term. */
const AFTER_THE_TERM_MS = 16 * DAY_MS;

/** The rows that the corruptions are planted in, by their names. */
export type Seeded = Record<string, string>;

/**
 * A system in which everything that a corruption needs has happened: orders in each status, payments,
 * a surplus and its use, an assigned and a reversed deposit, defaults, a changed phone and messages,
 * a paid statement, and one that waits and has a clawback.
 */
export async function seed(system: System): Promise<Seeded> {
  const { accounts, transactions, payments, database } = system;
  const none = () => undefined;
  const now = Math.floor(Date.now() / DAY_MS) * DAY_MS + NOON_IN_MEXICO_MS;
  await database.clear();
  await setTime(system, now);

  const newWholesaler = async (name: string, settings = {}): Promise<string> => {
    const command = { by: ops(), name, settings: { ...SETTINGS, ...settings } };
    return made(await createWholesaler(accounts, command)).wholesaler.wholesalerId;
  };
  const north = await newWholesaler('Mayorista Norte');
  const south = await newWholesaler('Mayorista Sur', { confirmationRequired: false });
  const { settle, order, onHold, delivered, deposit, credited, idFacturaOf, referenceOf } =
    createActions(system, north);
  const importTo = (wholesalerId: string, names: string[]) =>
    importCustomers(accounts, {
      by: ops(),
      wholesalerId,
      rows: names.map((externalId) => ({
        externalId,
        phone: `+52551234567${externalId.slice(-1)}`,
        firstName: 'Ana',
        lastNames: 'López',
        ...TERMS,
      })),
    });
  const stores = made(await importTo(north, ['tienda-1', 'tienda-2', 'tienda-3', 'tienda-4']));
  await importTo(south, ['tienda-1', 'tienda-2']);
  const [buyer, payer, debtor, newcomer] = stores;
  if (!buyer || !payer || !debtor || !newcomer) throw new Error('There are four stores');
  for (const { cornerStoreId } of [buyer, payer, debtor]) {
    await approveCornerStore(accounts, { by: ops(), cornerStoreId });
  }
  const { verificationId } = await startVerification(
    accounts,
    {
      by: wholesaler(north),
      userId: newcomer.userId,
      firstName: 'Ana',
      lastNames: 'López',
      phone: '+525512345674',
    },
    none,
  );
  await changePhone(
    accounts,
    { by: wholesaler(north), userId: payer.userId, phone: '+525512345699' },
    none,
  );
  await settle();

  // A debt that is overdue, from before the others.
  const overdue = await delivered(debtor, 30_000);
  const writtenOff = await delivered(debtor, 10_000);
  const closeNow = async () => {
    // Its lines are of this moment, and belong to it.
    await setTime(system, system.now + 1);
    const closed = await closeStatement(transactions, north, new Date(system.now));
    if (closed === undefined) throw new Error('There are lines to close');
    return closed;
  };
  const statement = await closeNow();
  // Asked for by one person, and approved by another.
  const person = () => staffMember('admin', new Date(system.now));
  const approve = async ({ changeRequestId }: ChangeRequested): Promise<string> => {
    await settle();
    const decision = { by: person(), status: 'approved', reason: null } as const;
    await decideChangeRequest(accounts, { ...decision, changeRequestId });
    await settle();
    return changeRequestId;
  };
  const ask = (change: Omit<Parameters<typeof requestChange>[1], 'by' | 'before'>) =>
    transactions.db.transaction((tx) => requestChange(tx, { ...change, by: person(), before: {} }));
  const paidOn = dayAfter(new Date(system.now), 'America/Mexico_City').date;
  await approve(
    await ask({
      kind: 'statement.pay',
      targetId: statement.id,
      payload: { bankReference: 'SPEI-1', paidOn },
    }),
  );
  await setTime(system, now + AFTER_THE_TERM_MS - DAY_MS);
  await detectDefaults(payments, {});
  await settle();
  const { id: receivableId } = await queryOne<{ id: string }>(
    payments.db,
    'SELECT id FROM receivables WHERE transaction_id = $1',
    [writtenOff],
  );
  const writeOff = { receivableId, reason: 'cerró', by: person() };
  await approve((await writeOffReceivable(payments, writeOff)) as ChangeRequested);
  await setTime(system, now + AFTER_THE_TERM_MS);

  const pending = (await order(buyer, 10_000)).transactionId;
  const held = await onHold(buyer, 20_000);
  const [batched] = await createBatch(
    transactions,
    {
      wholesalerId: south,
      driverId: 'chofer-1',
      items: [
        {
          cornerStoreId: buyer.cornerStoreId,
          amountCents: 5_000,
          wholesalerTransactionId: 'PED-1',
          deliveryDate: undefined,
          products: PRODUCTS,
          metadata: undefined,
          movementDate: undefined,
        },
      ],
    },
    none,
  );
  await settle();
  const unconfirmed = (await order(payer, 7_000, south)).transactionId;
  const cancelled = await onHold(buyer, 8_000);
  await cancelOrder(transactions, { wholesalerId: north, transactionId: cancelled }, none);
  const unpaid = await delivered(buyer, 40_000);
  const partlyPaid = await delivered(buyer, 50_000);
  const deposited = await deposit(20_000, { idFactura: await idFacturaOf(partlyPaid) });
  const reversed = await deposit(15_000, { idFactura: await idFacturaOf(unpaid) });
  await reverseDeposit(payments, { depositId: reversed, reason: 'devuelto', by: ops() });
  await settle();

  const paid = await delivered(payer, 60_000);
  const surplus = await deposit(100_000, { numeroReferencia: await referenceOf(payer) });
  // Paid with the credit balance, of which something is left.
  const paidFromBalance = await delivered(payer, 10_000);
  const unmatched = await deposit(9_900, {});
  const assigned = await deposit(11_100, {});
  await assignDeposit(payments, {
    depositId: assigned,
    cornerStoreId: buyer.cornerStoreId,
    by: ops(),
  });
  const reassigned = await deposit(5_500, {});
  await assignDeposit(payments, {
    depositId: reassigned,
    cornerStoreId: payer.cornerStoreId,
    by: ops(),
  });
  await unassignDeposit(payments, { depositId: reassigned, reason: 'otra tienda', by: ops() });
  await assignDeposit(payments, {
    depositId: reassigned,
    cornerStoreId: buyer.cornerStoreId,
    by: ops(),
  });
  const returned = await delivered(buyer, 30_000);
  const creditNote = await credited(returned, 10_000);
  await credited(returned, 5_000);
  await createInvoice(
    transactions,
    {
      wholesalerId: north,
      transactionId: paid,
      discountCents: 0,
      products: [
        {
          quantity: 12,
          product: {
            description: 'Refresco',
            price: 600,
            productKey: '50202306',
            sku: 'REF-600',
            taxes: [],
            unitKey: 'H87',
          },
        },
      ],
    },
    none,
  );
  await settle();

  const privacyRequest = await accounts.db.transaction((tx) =>
    insertPrivacyRequest(accounts, tx, {
      by: ops(),
      userId: newcomer.userId,
      kind: 'access',
      channel: 'email',
      identityProof: 'official-id',
      receivedAt: new Date(system.now),
    }),
  );

  const taken = {
    wholesalerId: north,
    transactionId: paid,
    kind: 'clawback',
    amountCents: 1_000,
    reason: 'Entrega incompleta',
  };
  const clawback = await approve(await ask({ kind: 'settlement.adjust', payload: taken }));
  const given = made(
    await giveCreditNote(
      transactions,
      {
        by: ops(),
        transactionId: returned,
        credit: { amountCents: 1_000, reason: 'damaged', reference: null },
      },
      none,
    ),
  );
  await settle();

  while (await fillPortfolio(payments));
  const nextStatement = await closeNow();
  await settle();
  // Paid from the balance, and back in it: held until the next statement.
  const heldBack = await delivered(payer, 5_000);
  await credited(heldBack, 2_000);
  await settle();

  return {
    north,
    south,
    buyer: buyer.cornerStoreId,
    buyerUser: buyer.userId,
    payer: payer.cornerStoreId,
    payerUser: payer.userId,
    debtor: debtor.cornerStoreId,
    debtorUser: debtor.userId,
    newcomer: newcomer.cornerStoreId,
    newcomerUser: newcomer.userId,
    verification: verificationId,
    overdue,
    pending,
    held,
    batched: batched?.order?.id ?? '',
    unconfirmed,
    cancelled,
    unpaid,
    partlyPaid,
    paid,
    paidFromBalance,
    returned,
    creditNote,
    clawback,
    given: given.id,
    privacyRequest,
    statement: statement.id,
    nextStatement: nextStatement.id,
    deposited,
    reversed,
    surplus,
    unmatched,
    assigned,
    reassigned,
  };
}

async function setTime(system: System, ms: number): Promise<void> {
  await system.database.setTime(ms);
  system.now = ms;
}
