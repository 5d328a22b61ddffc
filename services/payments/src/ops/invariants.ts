import { query } from '@fiado/chassis/db/query';
import { invariantsEndpoint } from '@fiado/chassis/invariants/endpoints';
import {
  everyRow,
  type Invariant,
  OUTBOX_SCAN,
  recentRows,
  type Scan,
  waitingRows,
} from '@fiado/chassis/invariants/scans';
import type { Context } from '../context';
import { lastMoment } from '../debts/disputes';
import { CHECKS_OF_DEPOSITS } from './deposit-invariants';
import { checksOfPortfolio } from './portfolio-invariants';
import { CHECKS_OF_RECEIVABLES, wrongReferences } from './receivable-invariants';

/** Seconds after which unfinished work counts as a fault. */
const UNDONE_AFTER_SECONDS = 60;

/** The hourly check for defaults may be missed once. */
const UNDETECTED_AFTER_HOURS = 2;

/** A user has some hundred receivables, payments and entries of its balance. */
const USER_WEIGHT = 20;

/** Checks of users with the ids $1. */
const CHECKS_OF_USERS: Invariant[] = [
  {
    name: 'credit balances are the sum of their entries, which have no gap',
    violations: `
      SELECT b.user_id, b.balance_cents, b.version, coalesce(e.cents, 0) AS "entriesCents",
             coalesce(e.count, 0) AS entries, coalesce(e.last, 0) AS "lastVersion"
        FROM credit_balances b
        LEFT JOIN (SELECT user_id, sum(cents)::bigint AS cents, count(*), max(version) AS last
                     FROM credit_balance_entries WHERE user_id = ANY($1) GROUP BY user_id) e
               USING (user_id)
       WHERE b.user_id = ANY($1)
         AND (b.balance_cents <> coalesce(e.cents, 0)
              OR b.version <> coalesce(e.count, 0) OR b.version <> coalesce(e.last, 0))`,
  },
  {
    name: 'what is held from payouts was given to the user by a credit note of that much',
    violations: `
      SELECT held.credit_note_id AS "creditNoteId", held.user_id, held.cents,
             note.user_id AS "noteUserId", note.cents AS "noteCents"
        FROM held_credits held LEFT JOIN LATERAL (
          SELECT r.user_id, -(e.interest_cents + e.iva_cents + e.principal_cents) AS cents
            FROM receivable_entries e JOIN receivables r ON r.id = e.receivable_id
           WHERE e.credit_note_id = held.credit_note_id) note ON true
       WHERE held.user_id = ANY($1) AND held.settled_at IS NULL
         AND (note.user_id IS DISTINCT FROM held.user_id OR held.cents > note.cents)`,
  },
  {
    // A note of a process of the release before is followed once its money moves.
    name: 'the money that a credit note gave is held in one place each, until the note is settled',
    violations: `
      SELECT coalesce(held.credit_note_id, found.note) AS "creditNoteId", held.cents, held.gone_cents,
             found.cents AS "foundCents"
        FROM (SELECT * FROM held_credits
               WHERE user_id = ANY($1) AND settled_at IS NULL AND is_followed) held
        FULL JOIN (
          SELECT note, sum(money.cents)::bigint AS cents
            FROM held_money money CROSS JOIN unnest(money.credit_note_ids) note
           WHERE money.user_id = ANY($1) GROUP BY note) found ON found.note = held.credit_note_id
       WHERE CASE WHEN held.credit_note_id IS NULL
             THEN NOT EXISTS (SELECT FROM held_credits WHERE credit_note_id = found.note)
             ELSE held.cents - held.gone_cents <> coalesce(found.cents, 0) END`,
  },
  {
    name: 'no more is held than lies in the balance, or than the payment of the debt that used it',
    violations: `
      SELECT money.user_id, money.allocation_id, sum(money.cents)::bigint AS "heldCents"
        FROM held_money money JOIN credit_balances b USING (user_id)
       WHERE money.user_id = ANY($1) AND EXISTS (
               SELECT FROM held_credits note WHERE note.credit_note_id = ANY(money.credit_note_ids)
                  AND note.settled_at IS NULL)
       GROUP BY money.user_id, money.allocation_id, b.balance_cents
      HAVING sum(money.cents) > CASE WHEN money.allocation_id IS NULL THEN b.balance_cents
               ELSE (SELECT -sum(e.interest_cents + e.iva_cents + e.principal_cents)
                       FROM receivable_entries e WHERE e.allocation_id = money.allocation_id) END`,
  },
  {
    name: 'amounts spent from credit balances equal what debts received from them',
    violations: `
      SELECT b.user_id, coalesce(spent.cents, 0) AS "spentCents",
             coalesce(paid.cents, 0) AS "paidCents"
        FROM credit_balances b
        LEFT JOIN (SELECT user_id, -sum(cents)::bigint AS cents FROM credit_balance_entries
                    WHERE user_id = ANY($1) AND cause IN ('spent', 'returned')
                    GROUP BY user_id) spent USING (user_id)
        LEFT JOIN (SELECT r.user_id,
                          -sum(e.interest_cents + e.iva_cents + e.principal_cents)::bigint AS cents
                     FROM receivables r
                     JOIN allocations a ON a.receivable_id = r.id AND a.deposit_id IS NULL
                     JOIN receivable_entries e ON e.allocation_id = a.id
                    WHERE r.user_id = ANY($1) GROUP BY r.user_id) paid USING (user_id)
        LEFT JOIN (SELECT r.user_id, -sum(e.cents)::bigint AS cents
                     FROM recoveries r JOIN recovery_entries e ON e.recovery_id = r.id
                    WHERE r.user_id = ANY($1) AND e.deposit_id IS NULL AND e.cause <> 'opened'
                    GROUP BY r.user_id) recovered USING (user_id)
       WHERE b.user_id = ANY($1)
         AND coalesce(spent.cents, 0) <> coalesce(paid.cents, 0) + coalesce(recovered.cents, 0)`,
  },
  {
    name: 'the cause of each entry of a credit balance fits its amount and its deposit',
    violations: `
      SELECT user_id, version, cause, cents, deposit_id FROM credit_balance_entries
       WHERE user_id = ANY($1)
         AND CASE WHEN cause = 'surplus' THEN cents <= 0 OR deposit_id IS NULL
                  WHEN cause IN ('reversal', 'unassigned') THEN cents >= 0 OR deposit_id IS NULL
                  WHEN cause = 'spent' THEN cents >= 0 OR deposit_id IS NOT NULL
                  WHEN cause = 'returned' THEN cents <= 0 OR deposit_id IS NOT NULL END`,
  },
  {
    // What was taken back does not count.
    name: 'a credit balance has money of its user’s deposits only',
    violations: `
      SELECT e.user_id, e.deposit_id, d.user_id AS "depositUserId", sum(e.cents)::bigint AS cents
        FROM credit_balance_entries e LEFT JOIN deposits d ON d.id = e.deposit_id
       WHERE e.user_id = ANY($1) AND e.deposit_id IS NOT NULL
       GROUP BY e.user_id, e.deposit_id, d.user_id
      HAVING sum(e.cents) < 0 OR sum(e.cents) > 0 AND d.user_id IS DISTINCT FROM e.user_id`,
  },
  {
    name: 'no user has both a credit balance and a debt',
    violations: `
      SELECT b.user_id, b.balance_cents FROM credit_balances b
       WHERE b.user_id = ANY($1) AND b.balance_cents > 0
         AND (EXISTS (SELECT FROM receivables r WHERE r.user_id = b.user_id AND r.paid_at IS NULL)
              OR EXISTS (SELECT FROM recoveries r
                          WHERE r.user_id = b.user_id AND r.paid_cents < r.amount_cents))`,
  },
  {
    name: 'each numeroReferencia has its check digit',
    violations: (db, ids) =>
      wrongReferences(
        'numeroReferencia',
        query(
          db,
          `SELECT user_id AS "userId", numero_referencia AS reference
             FROM credit_balances WHERE user_id = ANY($1)`,
          [ids],
        ),
      ),
  },
];

/** Checks of payouts with the ids $1. */
const CHECKS_OF_PAYOUTS: Invariant[] = [
  {
    name: 'each payout has left its credit balance, unless it came back',
    violations: `
      SELECT p.id AS "payoutId", p.status, p.amount_cents, coalesce(e.cents, 0) AS "entriesCents"
        FROM payouts p
        LEFT JOIN (SELECT payout_id, user_id, sum(cents)::bigint AS cents
                     FROM credit_balance_entries WHERE payout_id = ANY($1)
                    GROUP BY payout_id, user_id) e
               ON e.payout_id = p.id AND e.user_id = p.user_id
       WHERE p.id = ANY($1)
         AND (e.payout_id IS NULL
              OR e.cents <> CASE WHEN p.status IN ('requested', 'paid') THEN -p.amount_cents
                                 ELSE 0 END)`,
  },
];

/** Checks of recoveries with the ids $1. */
const CHECKS_OF_RECOVERIES: Invariant[] = [
  {
    name: 'each recovery is the sum of its entries, and gave its amount to its credit balance',
    violations: `
      SELECT r.id AS "recoveryId", r.amount_cents, r.paid_cents, owed.cents AS "entriesCents",
             given.cents AS "balanceCents"
        FROM recoveries r
        LEFT JOIN (SELECT recovery_id, sum(cents)::bigint AS cents
                     FROM recovery_entries WHERE recovery_id = ANY($1)
                    GROUP BY recovery_id) owed ON owed.recovery_id = r.id
        LEFT JOIN credit_balance_entries given
               ON given.recovery_id = r.id AND given.user_id = r.user_id
       WHERE r.id = ANY($1)
         AND (owed.cents IS DISTINCT FROM r.amount_cents - r.paid_cents
              OR given.cents IS DISTINCT FROM r.amount_cents)`,
  },
];

/** The invariants of payments. Statements select ids and totals, never texts of a payer. */
const SCANS: Scan[] = [
  {
    name: 'users',
    rows: { ...everyRow('credit_balances', 'user_id'), weight: USER_WEIGHT },
    checks: CHECKS_OF_USERS,
  },
  { name: 'payouts', rows: everyRow('payouts'), checks: CHECKS_OF_PAYOUTS },
  { name: 'recoveries', rows: everyRow('recoveries'), checks: CHECKS_OF_RECOVERIES },
  { name: 'receivables', rows: recentRows('receivables'), checks: CHECKS_OF_RECEIVABLES },
  {
    name: 'older-open-receivables',
    only: 'recent',
    rows: waitingRows('receivables', 'paid_at IS NULL', 'due_at'),
    checks: CHECKS_OF_RECEIVABLES,
  },
  { name: 'deposits', rows: recentRows('deposits'), checks: CHECKS_OF_DEPOSITS },
  {
    name: 'older-unmatched-deposits',
    only: 'recent',
    rows: waitingRows(
      'deposits',
      // The second condition is that of the index.
      `status = 'unmatched' AND status <> 'applied'`,
      'received_at',
    ),
    checks: CHECKS_OF_DEPOSITS,
  },
  {
    name: 'late',
    checks: [
      {
        name: `each deposit older than ${UNDONE_AFTER_SECONDS} s is applied, unmatched or reversed`,
        violations: `
          SELECT id AS "depositId", received_at FROM deposits
           WHERE status = 'received'
             AND received_at < now() - make_interval(secs => ${UNDONE_AFTER_SECONDS})`,
      },
      {
        name: `each receivable that is ${UNDETECTED_AFTER_HOURS} hours overdue is in default`,
        violations: `
          SELECT id AS "receivableId", due_at FROM receivables
           WHERE paid_at IS NULL AND NOT in_default
             AND due_at < now() - make_interval(hours => ${UNDETECTED_AFTER_HOURS})
             AND ${lastMoment('receivables')} < now() - make_interval(hours => ${UNDETECTED_AFTER_HOURS})
             AND opened_at < now() - make_interval(hours => ${UNDETECTED_AFTER_HOURS})
             -- A decided dispute may leave its debt overdue by days.
             AND NOT EXISTS (
               SELECT FROM debt_disputes
                WHERE debt_disputes.transaction_id = receivables.transaction_id
                  AND closed_at >= now() - make_interval(hours => ${UNDETECTED_AFTER_HOURS}))`,
      },
    ],
  },
  OUTBOX_SCAN,
];

export const checkInvariantsEndpoint = invariantsEndpoint<Context>(
  'payments',
  ({ config, accounts }) => [
    ...SCANS,
    { name: 'portfolio', checks: checksOfPortfolio(config.TIME_ZONE, accounts) },
  ],
);
