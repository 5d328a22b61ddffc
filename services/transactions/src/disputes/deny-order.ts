import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import type { GrowingTable } from '@fiado/chassis/db/retention';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import { MAX_CHOICES, type StoreDenies } from '@fiado/contracts/jobs/disputes';
import type { Context } from '../context';
import { lockOrder } from '../orders/order.sql';
import { LEFT_TO_CREDIT } from './close-dispute';
import { openDispute } from './open-dispute';
import type { DisputeRow } from './dispute.entity';
import { answerStore, type DisputeMessage } from './answer-store';

/** Hours after a delivery in which its store may say that it is not its own. */
const DENIABLE_HOURS = 48;

/** SMS that denied an order. A number counts in the question of an SMS for as long as its deliveries can be denied. */
export const WORDS_TABLE: GrowingTable = {
  name: 'dispute_words',
  key: 'sms_id',
  endedAt: 'said_at',
  keepHours: DENIABLE_HOURS,
};

/** SMS of one store that are answered in a day: more are somebody playing. */
const MAX_WORDS_PER_DAY = 5;

/**
 * Days after a store opened a dispute that was decided as kept, and was its last decided one. Until they are over it
 * cannot dispute by itself: it has to call the lender.
 */
const PATIENCE_DAYS = 90;

/** A delivery that a store may deny. */
interface Deniable {
  id: string;
  wholesalerId: string;
  wholesalerName: string;
  amountCents: number;
  deliveredAt: Date;
  /** Of the store. */
  paymentTimeZone: string;
  /** Whether the lender has it to decide already. */
  isDisputed: boolean;
}

/**
 * Opens the dispute of the delivery that a store denies by SMS, and answers. With several deliveries it asks which one,
 * and keeps the question: the number counts in what the store was asked. The same SMS again changes nothing.
 */
export async function denyOrder(
  context: Context,
  messageId: string,
  { cornerStoreId, wholesalerIds, smsId, choice, saidAt }: StoreDenies,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;
    if (!(await isHeard(tx, { cornerStoreId, smsId }))) return;
    const seen = { cornerStoreId, wholesalerIds };
    const deliveries = await findDeniable(tx, seen, saidAt);
    const [first] = deliveries;
    const chosen = choice === undefined ? undefined : await findChosen(tx, seen, choice);
    const only = deliveries.length === 1 && (choice ?? 1) === 1 ? first : undefined;
    const wanted = chosen ?? only;
    if (wanted === undefined && deliveries.length > 1) {
      const asked = deliveries.slice(-MAX_CHOICES);
      const ids = asked.map(({ id }) => id);
      await query(tx, 'UPDATE dispute_words SET asked = $2 WHERE sms_id = $1', [smsId, ids]);
      return answer(context, tx, cornerStoreId, questionOf(asked));
    }
    const outcome = wanted && (await denyDelivery(context, tx, { ...wanted, openedBy: 'sms' }));
    if (wanted === undefined || outcome === 'call') {
      return answer(context, tx, cornerStoreId, { template: 'dispute-call', values: {} });
    }
    if (outcome === 'opened') return;
    const { amountCents, wholesalerName: wholesaler } = wanted;
    const values = { amountCents, wholesaler };
    return answer(context, tx, cornerStoreId, { template: 'dispute-noted', values });
  });
}

/**
 * Opens the dispute of a delivery for its store, which gets an SMS.
 * @returns whether it is opened, was open before, or the store has to call the lender
 */
export async function denyDelivery(
  context: Context,
  tx: Transaction,
  {
    id,
    wholesalerId,
    openedBy,
  }: Pick<Deniable, 'id' | 'wholesalerId'> & Pick<DisputeRow, 'openedBy'>,
): Promise<'opened' | 'open' | 'call'> {
  const order = await lockOrder(tx, wholesalerId, id);
  if (order === undefined) return 'call';
  const { isOpen, isTooOften } = await queryOne<{ isOpen: boolean; isTooOften: boolean }>(
    tx,
    `SELECT EXISTS (SELECT FROM disputes WHERE transaction_id = $1 AND status = 'open') AS "isOpen",
            coalesce((SELECT last.status = 'kept' AND last.opened_at > now() - make_interval(days => $3)
                        FROM disputes last
                       WHERE last.corner_store_id = $2 AND last.status <> 'open'
                       ORDER BY last.decided_at DESC LIMIT 1), false) AS "isTooOften"`,
    [id, order.cornerStoreId, PATIENCE_DAYS],
  );
  if (isOpen) return 'open';
  if (isTooOften) return 'call';
  await openDispute(context, tx, order, { openedBy });
  return 'opened';
}

/** Keeps the word of a store. @returns false for one that came before, and for one too many of a day */
async function isHeard(
  tx: Transaction,
  { cornerStoreId, smsId }: { cornerStoreId: string; smsId: string },
): Promise<boolean> {
  const isNew = await queryRow(
    tx,
    `INSERT INTO dispute_words (sms_id, corner_store_id) VALUES ($1, $2)
     ON CONFLICT DO NOTHING RETURNING sms_id`,
    [smsId, cornerStoreId],
  );
  if (isNew === undefined) return false;
  const { count } = await queryOne<{ count: number }>(
    tx,
    `SELECT count(*)::int AS count FROM dispute_words
      WHERE corner_store_id = $1 AND said_at > now() - interval '1 day'`,
    [cornerStoreId],
  );
  return count <= MAX_WORDS_PER_DAY;
}

const DENIABLE = `
  SELECT t.id, t.wholesaler_id, wholesaler.name AS "wholesalerName",
         (t.amount_cents + t.interest_cents + t.iva_cents)::bigint AS "amountCents", t.delivered_at, t.payment_time_zone,
         EXISTS (SELECT FROM disputes d WHERE d.transaction_id = t.id AND d.status = 'open') AS "isDisputed"
    FROM transactions t JOIN wholesalers wholesaler USING (wholesaler_id)
   WHERE t.corner_store_id = $1 AND t.wholesaler_id = ANY($2) AND t.delivered_at IS NOT NULL
     AND ${LEFT_TO_CREDIT} > 0`;

/** A store, and the wholesalers whose orders its phone may see. */
interface Seen {
  cornerStoreId: string;
  wholesalerIds: string[];
}

/**
 * The deliveries that a store may deny, oldest first.
 * @param saidAt without it: now
 */
export function findDeniable(
  db: Db,
  { cornerStoreId, wholesalerIds }: Seen,
  saidAt?: string,
): Promise<Deniable[]> {
  return query<Deniable>(
    db,
    `${DENIABLE}
        AND t.delivered_at > coalesce($3, now()) - make_interval(hours => ${DENIABLE_HOURS})
      ORDER BY t.delivered_at, t.id`,
    [cornerStoreId, wholesalerIds, saidAt],
  );
}

/** The delivery with that number in the newest question to a store. */
function findChosen(
  tx: Transaction,
  { cornerStoreId, wholesalerIds }: Seen,
  choice: number,
): Promise<Deniable | undefined> {
  return queryRow<Deniable>(
    tx,
    `${DENIABLE}
        AND t.id = (SELECT asked[$3::int] FROM dispute_words
                     WHERE corner_store_id = $1 AND asked IS NOT NULL
                     ORDER BY said_at DESC LIMIT 1)`,
    [cornerStoreId, wholesalerIds, choice],
  );
}

function questionOf([first, second, third]: Deniable[]): DisputeMessage {
  if (first === undefined || second === undefined) throw new Error('A choice has two orders');
  return {
    template: 'dispute-choice',
    values: {
      wholesaler: first.wholesalerName,
      amountCents: first.amountCents,
      secondWholesaler: second.wholesalerName,
      secondCents: second.amountCents,
      thirdWholesaler: third?.wholesalerName ?? '',
      thirdCents: third?.amountCents ?? 0,
    },
  };
}

/** Answers the SMS of a store about no order alone. */
async function answer(
  context: Context,
  tx: Transaction,
  cornerStoreId: string,
  message: DisputeMessage,
): Promise<void> {
  const line = await queryRow<{ phoneSealed: Buffer | null; phoneUnprovenBy: string | null }>(
    tx,
    'SELECT phone_sealed, phone_unproven_by FROM credit_lines WHERE corner_store_id = $1',
    [cornerStoreId],
  );
  if (line === undefined) return;
  await answerStore(
    context,
    tx,
    { cornerStoreId, ...line },
    { ...message, subjectId: cornerStoreId },
  );
}
