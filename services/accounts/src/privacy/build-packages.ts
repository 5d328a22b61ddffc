import { type AsyncZippable, zip } from 'fflate';
import { promisify } from 'node:util';
import type { InternalClient } from '@fiado/chassis/clients/internal-client';
import type { Transaction } from '@fiado/chassis/db/database';
import type { Person } from '@fiado/chassis/db/personal-data';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import { html } from '@fiado/chassis/html';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { guardRow } from '@fiado/chassis/loop';
import * as t from '@fiado/chassis/openapi/json-schema';
import { readPersonalData } from '@fiado/chassis/privacy/personal-data-pages';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import {
  type PersonalDataAnswer,
  personalDataCall,
  type PersonalRow,
} from '@fiado/contracts/personal-data';
import { maskPhone } from '@fiado/contracts/phone';
import type { Service } from '@fiado/contracts/process-names';
import { limitOfADay } from '@fiado/contracts/verification-rules';
import { BY_ACCOUNTS, recordAudit } from '../audit/audit-log';
import type { AccountsConfig } from '../config';
import type { Context } from '../context';
import { PERSONAL_DATA } from '../db/personal-data';
import { PURPOSE } from '../db/purposes';
import { SEALED_TABLES } from '../db/sealed-columns';
import { OnboardingDocumentRow } from '../onboarding/onboarding-document.entity';
import { personOf } from './erasures.sql';
import { lockPrivacyRequest } from './privacy-requests.sql';
import { finishPrivacyRequest } from './settle-request';
import { PrivacyRequestRow } from './privacy-request.entity';
import { PrivacyPackageRow } from './privacy-package.entity';
import type { CornerStoreRow } from '../corner-stores/corner-store.entity';

const LOOP = 'privacy-packages';
/** Packages of one round: each is held in memory. */
const BATCH_SIZE = 5;
/** More than the images and rows of any store: a larger one is a fault, and would fill the memory. */
const MAX_PACKAGE_BYTES = 200 * 1024 * 1024;
/** How long a package can be fetched. */
export const PACKAGE_HOURS = 72;

const zipFiles = promisify<AsyncZippable, Uint8Array>(zip);

interface WantedPackage extends Pick<CornerStoreRow, 'userId'> {
  id: string;
  cornerStoreId: CornerStoreRow['id'];
}

/** A package that was not made, because a service was unavailable or it is at fault, is tried again so much later. */
const TRY_AGAIN = '1 minute';

/**
 * One round: deletes packages whose time is over, and makes those of granted requests. Those that were not
 * tried yet come first, so that one at fault keeps no other waiting.
 */
export async function buildPackages(context: Context): Promise<void> {
  const { db, log } = context;
  await endOldPackages(context);
  const wanted = await query<WantedPackage>(
    db,
    `UPDATE privacy_requests own SET package_tried_at = now()
       FROM (SELECT r.id, s.id AS corner_store_id
               FROM privacy_requests r JOIN corner_stores s ON s.user_id = r.user_id
              WHERE r.kind = 'access' AND r.status = 'executing' AND s.erased_at IS NULL
                AND (r.package_tried_at IS NULL OR r.package_tried_at < now() - $2::interval)
              ORDER BY r.package_tried_at NULLS FIRST, r.id LIMIT $1
                FOR NO KEY UPDATE OF r SKIP LOCKED) wanted
      WHERE own.id = wanted.id RETURNING own.id, own.user_id, wanted.corner_store_id`,
    [BATCH_SIZE, TRY_AGAIN],
  );
  for (const one of wanted) {
    await guardRow(LOOP, { log, privacyRequestId: one.id }, () => buildPackage(context, one));
  }
}

async function buildPackage(context: Context, wanted: WantedPackage): Promise<void> {
  const { db, sealer, documents, clock } = context;
  const data = await collectPersonalData(context, await personOf(db, wanted));
  const images = await imagesOf(context, wanted.cornerStoreId);
  const at = clock.now();
  const content = JSON.stringify({ madeAt: at.toISOString(), ...data }, null, 2);
  const zipped = await zipFiles({
    'data.json': Buffer.from(content),
    'leeme.html': Buffer.from(readmeOf(context.config, at)),
    // JPEG does not shrink.
    ...Object.fromEntries(images.map(({ name, image }) => [name, [image, { level: 0 }]])),
  });
  if (zipped.length > MAX_PACKAGE_BYTES) throw new Error('A privacy package is too large');
  const sealed = sealer.sealBytes(Buffer.from(zipped), PURPOSE.privacyPackage, wanted.id);
  const storageKey = await documents.put(sealed);
  const isKept = await db.transaction((tx) =>
    keepPackage(tx, { ...wanted, storageKey, size: zipped.length }),
  );
  if (!isKept) await documents.remove(storageKey);
}

/** @returns whether the request was still waiting for it */
async function keepPackage(
  tx: Transaction,
  { id, userId, storageKey, size }: WantedPackage & { storageKey: string; size: number },
): Promise<boolean> {
  const request = await lockPrivacyRequest(tx, id);
  if (request?.status !== 'executing') return false;
  await tx.manager.insert(PrivacyPackageRow, {
    requestId: id,
    userId,
    storageKey,
    sizeBytes: size,
  });
  await finishPrivacyRequest(tx, { by: BY_ACCOUNTS, request });
  return true;
}

async function imagesOf(
  { db, documents, sealer }: Context,
  cornerStoreId: string,
): Promise<{ name: string; image: Buffer }[]> {
  const found = await db.manager.find(OnboardingDocumentRow, {
    where: { cornerStoreId },
    order: { id: 'ASC' },
  });
  const images: { name: string; image: Buffer }[] = [];
  for (const { id, step, storageKey } of found) {
    const image = sealer.openBytes(await documents.get(storageKey), PURPOSE.document, id);
    images.push({ name: `imagenes/${step.toLowerCase()}-${id}.jpg`, image });
  }
  return images;
}

async function endOldPackages({ db, documents }: Context): Promise<void> {
  const old = await query<
    Pick<PrivacyPackageRow, 'requestId'> & {
      storageKey: NonNullable<PrivacyPackageRow['storageKey']>;
    }
  >(
    db,
    `SELECT request_id, storage_key FROM privacy_packages
      WHERE storage_key IS NOT NULL AND ready_at < now() - make_interval(hours => $1)`,
    [PACKAGE_HOURS],
  );
  for (const { requestId, storageKey } of old) {
    await documents.remove(storageKey);
    await db.manager.update(PrivacyPackageRow, requestId, { storageKey: null });
  }
}

/** The page of a package, for the person who asked for it. */
function readmeOf({ TIME_ZONE: timeZone }: AccountsConfig, madeAt: Date): string {
  const date = madeAt.toLocaleDateString('es-MX', { dateStyle: 'long', timeZone });
  return html`<!doctype html>
    <html lang="es-MX">
      <meta charset="utf-8" />
      <title>Tus datos personales</title>
      <h1>Tus datos personales</h1>
      <p>Esta es una copia de los datos que guardamos de ti y de tu tienda al ${date}.</p>
      <ul>
        <li>
          <b>data.json</b>: tus datos, tus pedidos, tus adeudos, tus pagos y los mensajes que te
          enviamos. Se abre con cualquier editor de texto. Los importes que terminan en
          <i>Cents</i> están en centavos.
        </li>
        <li><b>imagenes</b>: las fotos que enviaste al abrir tu cuenta.</li>
      </ul>
      <p>
        Los teléfonos de tus contactos aparecen incompletos, porque son datos de otras personas.
      </p>
      <p>
        Si algún dato está mal, pide que lo corrijamos. También puedes pedir que cancelemos tus
        datos u oponerte a su uso.
      </p>
    </html> `.text;
}

/** Rows by the service and the table that has them. */
type CollectedData = Record<Service, Record<string, Record<string, unknown>[]>>;

type ReadPage = (person: Person, from: PersonalDataAnswer['next']) => Promise<PersonalDataAnswer>;

/**
 * Reads what every service keeps of a person. Contacts have masked phones: they are other persons.
 * @throws AppError SERVICE_UNAVAILABLE when one cannot be asked: half of a copy is none
 */
async function collectPersonalData(context: Context, person: Person): Promise<CollectedData> {
  const { db, sealer, slowTransactions, slowPayments, slowNotifier } = context;
  const transactions = await readAll(asking(slowTransactions), person);
  const payments = await readAll(asking(slowPayments), person);
  const objectIds = [...person.objectIds, ...transactions.objectIds, ...payments.objectIds];
  const all = { ...person, objectIds };
  const notifier = await readAll(asking(slowNotifier), all);
  const reading = { data: PERSONAL_DATA, sealed: SEALED_TABLES, sealer };
  const accounts = await readAll(
    (of, from) => db.snapshot((tx) => readPersonalData(tx, reading, of, from)),
    all,
  );
  return {
    accounts: byTable(accounts.rows.map(withMaskedContacts)),
    transactions: byTable(transactions.rows),
    payments: byTable(payments.rows),
    notifier: byTable(notifier.rows),
  };
}

function asking(client: InternalClient): ReadPage {
  return ({ userId, cornerStoreId, phoneIndexes, objectIds }, from) =>
    client.ask(personalDataCall, {
      userId,
      cornerStoreId,
      objectIds,
      phoneIndexes: phoneIndexes.map((index) => index.toString('base64')),
      ...from,
    });
}

async function readAll(
  read: ReadPage,
  person: Person,
): Promise<{ rows: PersonalRow[]; objectIds: string[] }> {
  const { rows, objectIds, next } = await read(person, null);
  // Rows of later pages are found by the ids of the person's own orders and debts too.
  const known = { ...person, objectIds: [...person.objectIds, ...objectIds] };
  for (let from = next; from !== null;) {
    const page = await read(known, from);
    rows.push(...page.rows);
    from = page.next;
  }
  return { rows, objectIds };
}

function byTable(rows: PersonalRow[]): Record<string, Record<string, unknown>[]> {
  const tables: Record<string, Record<string, unknown>[]> = {};
  for (const { table, fields } of rows) (tables[table] ??= []).push(fields);
  return tables;
}

function withMaskedContacts(row: PersonalRow): PersonalRow {
  const { contacts } = row.fields;
  if (row.table !== 'users' || !Array.isArray(contacts)) return row;
  const masked = (contacts as { fullName: string; phoneNumber: string }[]).map(
    ({ fullName, phoneNumber }) => ({ fullName, phoneNumber: maskPhone(phoneNumber) }),
  );
  return { ...row, fields: { ...row.fields, contacts: masked } };
}

/** Copies that somebody fetches in a day: few persons ask for one. */
const MAX_FETCHED_PER_DAY = 10;

/** One caller at a time, so that calls together do not pass the limit. @throws AppError TOO_MANY_ATTEMPTS */
async function refuseManyFetched(tx: Transaction, by: Caller): Promise<void> {
  await query(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [by.id]);
  const { fetched } = await queryOne<{ fetched: number }>(
    tx,
    `SELECT count(*)::int AS fetched FROM audit_log
      WHERE actor_id = $1 AND action = 'privacy-package.fetched'
        AND occurred_at > now() - interval '24 hours'`,
    [by.id],
  );
  if (fetched >= MAX_FETCHED_PER_DAY) {
    throw limitOfADay('Too many copies were fetched today');
  }
}

export const showPrivacyPackageEndpoint = endpoint({
  id: 'showPrivacyPackage',
  tag: 'Ops: privacy',
  route: 'GET /v1/admin/privacy-requests/:privacyRequestId/package',
  scope: 'approver',
  summary: 'Get the copy of what is kept of a person',
  description:
    'A ZIP file with `data.json`, the images and `leeme.html`, for 72 hours after it was made. Each access is ' +
    `audited; a person or a key may make ${MAX_FETCHED_PER_DAY} in 24 hours.`,
  errors: ['PRIVACY_REQUEST_NOT_FOUND', 'PRIVACY_PACKAGE_NOT_READY', 'TOO_MANY_ATTEMPTS'],
  answer: t.binary,
  mediaType: 'application/zip',
  input: ({ id, caller: by }) => ({
    by,
    privacyRequestId: id('privacyRequestId', 'PRIVACY_REQUEST_NOT_FOUND'),
  }),
  // Opens a package. The access is audited first.
  handle: async ({ db, documents, sealer }: Context, { by, privacyRequestId }) => {
    const storageKey = await db.transaction(async (tx) => {
      if (!(await tx.manager.existsBy(PrivacyRequestRow, { id: privacyRequestId }))) {
        throw new AppError('PRIVACY_REQUEST_NOT_FOUND');
      }
      const found = await queryRow<
        Pick<PrivacyPackageRow, 'userId'> & {
          storageKey: NonNullable<PrivacyPackageRow['storageKey']>;
        }
      >(
        tx,
        `SELECT user_id, storage_key FROM privacy_packages
          WHERE request_id = $1 AND storage_key IS NOT NULL
            AND ready_at > now() - make_interval(hours => $2)`,
        [privacyRequestId, PACKAGE_HOURS],
      );
      if (found === undefined) throw new AppError('PRIVACY_PACKAGE_NOT_READY');
      await refuseManyFetched(tx, by);
      const details = { privacyRequestId };
      const objectId = found.userId;
      await recordAudit(tx, { by, action: 'privacy-package.fetched', objectId, details });
      return found.storageKey;
    });
    const sealed = await documents.get(storageKey);
    return {
      privacyRequestId,
      content: sealer.openBytes(sealed, PURPOSE.privacyPackage, privacyRequestId),
    };
  },
  headers: ({ privacyRequestId }) => ({
    'Content-Disposition': `attachment; filename="datos-${privacyRequestId}.zip"`,
  }),
  present: ({ content }) => content,
});
