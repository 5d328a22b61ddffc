import type { Caller } from '@fiado/contracts/caller';
import { searchCall, type SearchHit, type SearchQuestion } from '@fiado/contracts/search';
import { normalizePhone } from '@fiado/contracts/phone';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { searchParties, searchPhone } from '../db/search.repository';
import { PURPOSE } from '../domain/sealing-purposes';
import { answersOf, type AskedService } from '../steps/ask-services';

export interface Search {
  by: Caller;
  /** Without spaces at its ends. */
  text: string;
  /** Whether the caller may see phones; without, a text is never looked up as a phone. */
  seesPhones: boolean;
}

/**
 * What a text names in all services, exactly. A look-up of a phone is audited, with what it found
 * and never with the phone.
 */
export async function search(
  context: Context,
  { by, text, seesPhones }: Search,
): Promise<{ hits: SearchHit[]; missing: AskedService[] }> {
  const { db, transactions, payments } = context;
  const question: SearchQuestion = { text };
  const [parties, ofPhone, { answers, missing }] = await Promise.all([
    searchParties(db, text),
    seesPhones ? hitsOfPhone(context, by, text) : [],
    answersOf(context, {
      transactions: transactions.ask(searchCall, question),
      payments: payments.ask(searchCall, question),
    }),
  ]);
  return {
    hits: [...ofPhone, ...parties, ...answers.flatMap(({ answer }) => answer.hits)],
    missing,
  };
}

async function hitsOfPhone(
  { db, config, sealer }: Context,
  by: Caller,
  text: string,
): Promise<SearchHit[]> {
  const phone = normalizePhone(text, config.PHONE_REGION);
  if (phone === undefined) return [];
  const hits = await searchPhone(db, sealer.blindIndex(phone, PURPOSE.phone));
  const details = { cornerStoreIds: hits.map(({ id }) => id) };
  await recordAudit(db, { by, action: 'phone.searched', objectId: null, details });
  return hits;
}
