import type { Db, Database } from '@fiado/chassis/db/database';
import { rowsWithKey } from '@fiado/chassis/db/folded-keys';
import { columnOf, queryNamed } from '@fiado/chassis/db/query';
import type { StoredAnswer } from '@fiado/chassis/idempotency';
import { NOT_LOCKED, Lane } from '@fiado/chassis/lanes/lane';
import { foldKey } from '@fiado/contracts/fold-key';
import type { Deposit } from './deposit';
import { DEPOSIT_KEY } from './deposit.rules';

/** A deposit on its way in. */
export interface NewDeposit extends Omit<
  Deposit,
  'status' | 'unmatchedReason' | 'possibleDuplicateOf' | 'userId' | 'unassignments' | 'receivedAt'
> {
  /** Id of the request that sent it, for the jobs that follow from it. */
  requestId: string | null;
  traceparent: string | null;
}

/** A deposit to store, with what is written with it. */
export interface DepositToStore {
  deposit: NewDeposit;
  /** The answer to store for its Idempotency-Key, unless the deposit conflicts with a known one. */
  answer: StoredAnswer | undefined;
}

/** The deposit with a provider's claveDePago. */
export type KnownDeposit = Pick<Deposit, 'id' | 'bodyHash'>;

/** Columns of the same names in snake case; the compiler refuses a field that is missing here. */
const FIELDS: Record<keyof NewDeposit, string> = {
  id: 'uuid',
  paymentProviderId: 'uuid',
  providerName: 'text',
  idFactura: 'text',
  numeroReferencia: 'text',
  valorCents: 'bigint',
  fechaPago: 'text',
  paidAt: 'timestamptz',
  claveDePago: 'text',
  bodyHash: 'bytea',
  body: 'text',
  isSigned: 'boolean',
  requestId: 'text',
  traceparent: 'text',
};

const ANSWER_FIELDS: Record<keyof StoredAnswer, string> = {
  id: 'bytea',
  requestHash: 'bytea',
  status: 'integer',
  body: 'text',
};

const columns = Object.keys(FIELDS).map(columnOf);

const answerColumns = Object.keys(ANSWER_FIELDS).map(columnOf);

/** Each field is a parameter, the array of its values. JSON would refuse half of a surrogate pair. */
const ASKED = `
asked AS MATERIALIZED (
  SELECT * FROM unnest(${[...Object.values(FIELDS), ...Object.values(ANSWER_FIELDS)]
    .map((type, index) => `$${index + 1}::${type}[]`)
    .join(', ')}) WITH ORDINALITY
    AS asked(${[...columns, ...answerColumns.map((column) => `answer_${column}`)].join(', ')}, at)
)`;

/**
 * Stores many deposits with their answers, in one statement. A new one is `received`: that is all that
 * its loop needs to know. A deposit that is known under
 * its key changes nothing. Waits for no other database transaction: what it has locked is left out.
 * @returns for each deposit the one that is now stored under its key: this one, or an earlier one
 */
export async function insertDeposits(
  db: Db,
  deposits: DepositToStore[],
): Promise<Array<KnownDeposit | typeof NOT_LOCKED>> {
  const known = await insert(db, 'insert-deposits', INSERT_DEPOSITS, deposits);
  return known.map((row) => row ?? NOT_LOCKED);
}

/** The same for one deposit, which waits for its locks. */
export async function insertDeposit(db: Db, deposit: DepositToStore): Promise<KnownDeposit> {
  const [known] = await insert(db, 'insert-deposit', INSERT_DEPOSIT, [deposit]);
  if (known !== undefined) return known;
  // The one with its key was committed while the statement waited for it. A new one sees it.
  const [committed] = await insert(db, 'insert-deposit', INSERT_DEPOSIT, [deposit]);
  if (committed === undefined) throw new Error('A deposit was neither stored nor known');
  return committed;
}

/**
 * CTE of the deposits whose key and Idempotency-Key no other database transaction has: two instances
 * would wait for each other at the unique index, and with them all deposits of the batch.
 */
const TAKEN = `
taken AS MATERIALIZED (
  SELECT at FROM asked
   WHERE pg_try_advisory_xact_lock(
           hashtextextended(payment_provider_id::text || ' ' || fold_key(clave_de_pago), 0))
     AND CASE WHEN answer_id IS NULL THEN true
              -- A repeated request, which fails for its answer, must not fail the whole batch.
              ELSE pg_try_advisory_xact_lock(hashtextextended(encode(answer_id, 'hex'), 0))
                   AND NOT EXISTS (SELECT FROM idempotency_keys kept WHERE kept.id = answer_id OFFSET 0) END
),`;

/** SQL of an answer's body, which names the deposit that is stored under the key. */
const KNOWN_ANSWER = `CASE WHEN result.id = asked.id THEN answer_body
  ELSE replace(replace(answer_body, asked.id::text, result.id::text),
               '"repeated":false', '"repeated":true') END`;

/**
 * The statement that stores deposits.
 * @param waits whether a deposit waits for locks of others. Without, what is locked is left out.
 */
function insertStatement({ waits }: { waits: boolean }): string {
  const taken = waits ? 'asked' : 'asked JOIN taken USING (at)';
  return `
WITH ${ASKED},${waits ? '' : TAKEN}
known AS MATERIALIZED (
  -- This statement's snapshot is older than its insert: here stands only what was there before.
  SELECT at, deposit.id, deposit.body_hash
    FROM ${taken},
         -- LIMIT: each key is looked up by itself, where a join would read whole tables.
         -- The very spelling first: before keys were folded, two spellings were two deposits.
         LATERAL (${rowsWithKey(DEPOSIT_KEY, 'found.id, found.body_hash', {
           of: ['asked.payment_provider_id'],
           asked: 'asked.clave_de_pago',
         })} LIMIT 1) deposit
),
stored AS (
  INSERT INTO deposits (${columns.join(', ')})
  SELECT ${columns.join(', ')} FROM ${taken}
   WHERE at NOT IN (SELECT at FROM known)
   -- In one order for all batches, so that two do not wait for each other in a ring.
   ORDER BY payment_provider_id, fold_key(clave_de_pago)
  ON CONFLICT DO NOTHING
  RETURNING id, body_hash
),
-- Without those that were committed while this statement waited for them.
result AS (
  SELECT at, stored.id, stored.body_hash FROM stored JOIN asked USING (id)
  UNION ALL
  SELECT at, id, body_hash FROM known
),
answered AS (
  -- A repeated request fails here, and takes its deposit back with it.
  INSERT INTO idempotency_keys (${answerColumns.join(', ')})
  SELECT ${answerColumns.map((column) => (column === 'body' ? KNOWN_ANSWER : `answer_${column}`)).join(', ')}
    FROM asked JOIN result USING (at)
   WHERE answer_id IS NOT NULL AND result.body_hash = asked.body_hash
)
SELECT at, id, body_hash FROM result`;
}

const INSERT_DEPOSITS = insertStatement({ waits: false });

const INSERT_DEPOSIT = insertStatement({ waits: true });

async function insert(
  db: Db,
  name: string,
  statement: string,
  toStore: DepositToStore[],
): Promise<Array<KnownDeposit | undefined>> {
  const deposits = toStore.map(({ deposit }) => deposit);
  const answers = toStore.map(({ answer }) => answer);
  const rows = await queryNamed<KnownDeposit & { at: number }>(db, name, statement, [
    ...fieldsOf(FIELDS).map((field) => deposits.map((deposit) => deposit[field])),
    ...fieldsOf(ANSWER_FIELDS).map((field) => answers.map((answer) => answer?.[field] ?? null)),
  ]);
  const byPlace = new Map(rows.map((row) => [row.at, row]));
  return toStore.map((_, index) => byPlace.get(index + 1));
}

function fieldsOf<Field extends string>(types: Record<Field, string>): Field[] {
  return Object.keys(types) as Field[];
}

/** Deposits that arrive at the same time are stored by one statement. */
export type DepositLane = Lane<DepositToStore, KnownDeposit>;

export function createDepositLane(db: Database): DepositLane {
  return new Lane({
    name: 'insert-deposits',
    run: (deposits) => insertDeposits(db, deposits),
    runAlone: (deposit) => insertDeposit(db, deposit),
    // Two of one key would meet at its unique index, and the whole batch with them.
    keysOf: ({ deposit, answer }) => [
      `deposit ${deposit.paymentProviderId} ${foldKey(deposit.claveDePago)}`,
      ...(answer === undefined ? [] : [`key ${answer.id.toString('hex')}`]),
    ],
    tenantOf: ({ deposit }) => deposit.paymentProviderId,
  });
}
