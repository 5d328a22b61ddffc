import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { UserRow } from '../corner-stores/user.entity';
import { PURPOSE } from '../db/purposes';
import { setWhatsappConsent } from './whatsapp-consent';
import { endReminders, setOpposition } from './grant-opposition';
import { insertPrivacyRequest } from './open-privacy-request';
import {
  findOpenRequest,
  type LockedPerson,
  lockPerson,
  lockPrivacyRequest,
} from './privacy-requests.sql';
import { finishPrivacyRequest, recordGrant } from './settle-request';

/** The actor in the audit log for a request by SMS: the phone is the proof. */
const BY_SMS = { kind: 'service', id: 'sms' } as const;

/** A confirmation is of use while the person waits for it. */
const CONFIRMATION_LIFE_MS = 3_600_000;

interface Word {
  messageId: string;
  phoneIndex: Buffer;
  /** false: reminders again. */
  opposes: boolean;
  byWhatsapp: boolean;
  /** When the word reached the notifier. */
  at: Date;
}

/**
 * ALTO or BAJA makes an opposition and grants it; ALTA ends it. The person gets one confirmation in 24
 * hours. An unknown number and the number of a blocked person get no answer. A word that is older than the
 * last one changes nothing. ALTO or BAJA by WhatsApp takes back the consent to messages there, too.
 */
export async function opposeBySms(context: Context, word: Word): Promise<void> {
  await context.db.transaction(async (tx) => {
    if (!(await enterInbox(tx, word.messageId))) return;
    const owner = await tx.manager.findOneBy(UserRow, { phoneIndex: word.phoneIndex });
    const person = owner && (await lockPerson(tx, owner.id));
    if (person === null || person.blockedAt !== null) return;
    if (word.opposes && word.byWhatsapp)
      await setWhatsappConsent(tx, { by: BY_SMS, userId: person.userId, agrees: false });
    const { oppositionChangedAt } = person;
    if (oppositionChangedAt !== null && oppositionChangedAt >= word.at) return;
    if (word.opposes) await oppose(context, tx, person, word.at);
    else await resume(tx, person, word.at);
    await confirm(context, tx, person, word);
  });
}

async function oppose(
  context: Context,
  tx: Transaction,
  person: LockedPerson,
  at: Date,
): Promise<void> {
  if (person.opposedAt !== null) return;
  const { userId } = person;
  const kind = 'opposition';
  const open = await findOpenRequest(tx, { userId, kind });
  const id =
    open?.id ??
    (await insertPrivacyRequest(context, tx, {
      by: BY_SMS,
      userId,
      kind,
      channel: 'sms',
      identityProof: 'phone-number',
      receivedAt: at,
    }));
  const request = await lockPrivacyRequest(tx, id);
  if (request === null) throw new Error('The request of a locked person is gone');
  await endReminders(tx, person, at);
  await recordGrant(context, tx, { by: BY_SMS, request });
  await finishPrivacyRequest(tx, { by: BY_SMS, request });
}

async function resume(tx: Transaction, person: LockedPerson, at: Date): Promise<void> {
  if (person.opposedAt === null) return;
  const { userId, cornerStoreId } = person;
  await setOpposition(tx, { cornerStoreId, opposes: false, at });
  await recordAudit(tx, { by: BY_SMS, action: 'opposition.ended', objectId: userId });
}

/** Answers by SMS, once in 24 hours: nobody can make the lender send many. */
async function confirm(
  { sealer, clock }: Context,
  tx: Transaction,
  { userId, cornerStoreId }: LockedPerson,
  { opposes }: Word,
): Promise<void> {
  const told = await query(
    tx,
    `UPDATE corner_stores SET opposition_told_at = now()
      WHERE id = $1 AND (opposition_told_at IS NULL OR opposition_told_at <= now() - interval '24 hours')
      RETURNING id`,
    [cornerStoreId],
  );
  if (told.length === 0) return;
  const user = await tx.manager.findOneByOrFail(UserRow, { id: userId });
  const { phone, phoneUnprovenBy: unprovenBy } = user;
  if (phone === null) return;
  await appendToOutbox(
    tx,
    smsRows(sealer, {
      template: opposes ? 'reminders-ended' : 'reminders-resumed',
      phone: sealer.open(phone, PURPOSE.phone, cornerStoreId),
      unprovenBy,
      values: {},
      subjectId: userId,
      expiresAt: new Date(clock.now().getTime() + CONFIRMATION_LIFE_MS),
    }),
  );
}
