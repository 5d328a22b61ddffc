import { isUUID } from '@fiado/contracts/class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import type { Caller } from '@fiado/contracts/caller';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import {
  HIT_KINDS,
  MATCHED_BY,
  MAX_HITS,
  MAX_SEARCH,
  searchCall,
  type SearchHit,
} from '@fiado/contracts/page';
import { owedCall } from '@fiado/contracts/debts';
import { AppError } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import { normalizePhone } from '@fiado/contracts/numbering-plan';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { READS_PERSONAL_DATA } from '../corner-stores/corner-store-details';
import { PURPOSE } from '../db/purposes';
import { nameOf, storesNamed } from '../names/keep-names';
import { nameWords } from '../names/name-words.rules';
import { answersOf, type AskedService } from './ask-services';

const MISSING = ['transactions', 'payments', 'notifier', 'names'] as const;

class SearchQuestion {
  @About('The whole id, number, reference or phone number', 'tienda-001')
  @IsNonEmptyText(MAX_SEARCH)
  q: string;
}

export const searchByBodyEndpoint = endpoint({
  id: 'searchByBody',
  as: 'search.find',
  columns: ['kind', 'matchedBy', 'id', 'cornerStoreId', 'wholesalerId', 'label'],
  route: 'POST /v1/admin/search',
  summary: 'Find what an id, a number or a phone number names',
  description:
    'Compares whole values: ids, external ids, numbers of orders, payment references, and amounts of unmatched ' +
    'deposits, open debts and orders that are not delivered (of these the 400 that expire first and the 400 that expire ' +
    'last), at most 20 hits of each kind. `refused-transaction` is an order of the last 30 days ' +
    'that was refused with `errorCode`. A wholesaler and a provider are also found by words of their name, and a ' +
    'corner store by words of its name and of its owner’s names, or by ' +
    'any part of a word: all must be there, in any order; capitals and accents do not count. A new or changed ' +
    'name is found within seconds. Phone numbers and names of corner stores are only looked up for an operator, and ' +
    'what they find is audited. A service that does not answer is named in `missing`.',
  body: SearchQuestion,
  bodyExample: { q: 'tienda-001' },
  tag: 'Ops: operation',
  scope: 'viewer',
  answer: t.object('SearchResult', {
    hits: t.list(
      t.object('SearchHit', {
        kind: t.field(t.oneOf(HIT_KINDS), 'What it is'),
        matchedBy: t.field(t.oneOf(MATCHED_BY), 'Its field that has the value'),
        id: t.id('Its id', '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33'),
        wholesalerId: t.nullable(fields.wholesalerId),
        cornerStoreId: t.nullable(fields.cornerStoreId),
        label: t.textOrNull('How people call it', 'tienda-001'),
        errorCode: t.textOrNull('Why a `refused-transaction` was refused', 'CREDIT_LIMIT_EXCEEDED'),
        amountDue: t.field(
          t.nullable(t.pesos),
          'What a corner store owes; null while payments does not answer',
          529,
        ),
      }),
      'What the value names',
    ),
    missing: t.list(
      t.oneOf(MISSING),
      'Services that did not answer, so that their part is not here; `names` while accounts still reads them after its start',
    ),
  }),
  example: {
    hits: [{ matchedBy: 'externalId', errorCode: null }],
    missing: [],
  },
  input: ({ body: { q }, caller: by }) => ({
    by,
    text: q.trim(),
    seesPersons: by.scopes.includes(READS_PERSONAL_DATA),
  }),
  handle: search,
  present: ({ hits, missing, owed }) => ({
    hits: hits.map(({ kind, matchedBy, id, wholesalerId, cornerStoreId, label, errorCode }) => ({
      kind,
      matchedBy,
      id,
      wholesalerId,
      cornerStoreId,
      label,
      errorCode: errorCode ?? null,
      amountDue: kind === 'corner-store' && owed !== undefined ? amountOf(owed.get(id) ?? 0) : null,
    })),
    missing,
  }),
});

interface Search {
  by: Caller;
  /** Without spaces at its ends. */
  text: string;
  /** Whether the caller may see phones and names; without, a text is never looked up as either. */
  seesPersons: boolean;
}

/**
 * What a text names in all services. A look-up of a phone or a name is audited, with what it found and
 * never with the text.
 */
async function search(
  context: Context,
  { by, text, seesPersons }: Search,
): Promise<{
  hits: SearchHit[];
  missing: (AskedService | 'names')[];
  /** Cents by corner store, where it is not 0; undefined while payments does not answer. */
  owed: Map<string, number> | undefined;
}> {
  const { db, transactions, payments } = context;
  // Corner stores, wholesalers and providers by id, and customers by external id. Each reads one
  // index.
  const [parties, named, ofPhone, ofName, { answers, missing }] = await Promise.all([
    query<SearchHit>(
      db,
      `SELECT 'corner-store' AS kind, 'id' AS "matchedBy", id, NULL::uuid AS wholesaler_id,
              id AS corner_store_id, NULL AS label FROM corner_stores WHERE id = $1
       UNION ALL
       SELECT 'corner-store', 'userId', id, NULL, id, NULL FROM corner_stores WHERE user_id = $1
       UNION ALL
       SELECT 'wholesaler', 'id', id, id, NULL, name FROM wholesalers WHERE id = $1
       UNION ALL
       SELECT 'payment-provider', 'id', id, NULL, NULL, name FROM payment_providers WHERE id = $1
       UNION ALL
       (SELECT 'corner-store', 'externalId', corner_store_id, wholesaler_id, corner_store_id,
               external_id
          FROM customers WHERE external_id = $2 LIMIT ${MAX_HITS})`,
      [isUUID(text) ? text : null, text],
    ),
    partiesNamed(db, nameWords(text)),
    seesPersons ? hitsOfPhone(context, by, text) : [],
    seesPersons ? hitsOfName(context, by, text) : { hits: [], isComplete: true },
    answersOf(context, {
      transactions: transactions.ask(searchCall, { text }),
      payments: payments.ask(searchCall, { text }),
    }),
  ]);
  const found = answers.flatMap(({ answer }) => answer.hits);
  const hits = [...ofPhone, ...parties, ...ofName.hits, ...named, ...found];
  return {
    hits,
    owed: await owedBy(context, hits),
    missing: ofName.isComplete ? missing : [...missing, 'names'],
  };
}

/** What the found corner stores owe. */
async function owedBy(
  { payments }: Pick<Context, 'payments'>,
  hits: SearchHit[],
): Promise<Map<string, number> | undefined> {
  const cornerStoreIds = hits.flatMap(({ kind, id }) => (kind === 'corner-store' ? [id] : []));
  if (cornerStoreIds.length === 0) return new Map();
  try {
    const { owed } = await payments.ask(owedCall, { cornerStoreIds });
    return new Map(owed.map((store) => [store.cornerStoreId, store.amountDueCents]));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return undefined;
  }
}

/**
 * Wholesalers and providers that have all parts in their names. They are few, and read all. Digits alone are a number of
 * something else.
 */
async function partiesNamed(db: Db, parts: string[]): Promise<SearchHit[]> {
  if (!parts.some((part) => /\p{L}/u.test(part))) return [];
  const all = await query<SearchHit>(
    db,
    `SELECT 'wholesaler' AS kind, 'name' AS "matchedBy", id, id AS wholesaler_id,
            NULL::uuid AS corner_store_id, name AS label FROM wholesalers
     UNION ALL
     SELECT 'payment-provider', 'name', id, NULL, NULL, name FROM payment_providers`,
  );
  const isNamed = ({ label }: SearchHit): boolean => {
    const words = nameWords(label ?? '').join(' ');
    return parts.every((part) => words.includes(part));
  };
  return all.filter(isNamed).slice(0, MAX_HITS);
}

async function hitsOfPhone(
  { db, config, sealer }: Context,
  by: Caller,
  text: string,
): Promise<SearchHit[]> {
  const phone = normalizePhone(text, config.PHONE_REGION);
  if (phone === undefined) return [];
  const hits = await query<SearchHit>(
    db,
    `SELECT 'corner-store' AS kind, 'phoneNumber' AS "matchedBy", s.id, NULL::uuid AS wholesaler_id,
            s.id AS corner_store_id, NULL AS label
       FROM users u JOIN corner_stores s ON s.user_id = u.id WHERE u.phone_index = $1`,
    [sealer.blindIndex(phone, PURPOSE.phone)],
  );
  const details = { cornerStoreIds: hits.map(({ id }) => id) };
  await recordAudit(db, { by, action: 'phone.searched', objectId: null, details });
  return hits;
}

/** Stores that have all parts of the text in their names; not all of them while this process still reads names. */
async function hitsOfName(context: Context, by: Caller, text: string): Promise<HitsOfName> {
  const { db, sealer } = context;
  const parts = nameWords(text);
  if (parts.length === 0) return { hits: [], isComplete: true };
  const { stores, isComplete } = await storesNamed(context, parts, MAX_HITS);
  if (stores.length === 0) return { hits: [], isComplete };
  const details = { cornerStoreIds: stores.map(({ cornerStoreId }) => cornerStoreId) };
  await recordAudit(db, { by, action: 'name.searched', objectId: null, details });
  const hits = stores.map((store) => ({
    kind: 'corner-store' as const,
    matchedBy: 'name' as const,
    id: store.cornerStoreId,
    wholesalerId: null,
    cornerStoreId: store.cornerStoreId,
    label: nameOf(sealer, store),
  }));
  return { hits: hits.sort((a, b) => b.id.localeCompare(a.id)), isComplete };
}

interface HitsOfName {
  hits: SearchHit[];
  isComplete: boolean;
}
