import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '@fiado/chassis/db/database';
import { queryOne } from '@fiado/chassis/db/query';
import type { DocumentStore } from '@fiado/chassis/documents/document-store';
import type { ErasureRow } from './erasure.entity';
import type { ErasurePhase } from '@fiado/contracts/jobs/privacy';

/**
 * A person who was blocked or erased: what a restored database needs to do it again. No value of the
 * person.
 */
export interface ErasedPerson {
  erasureId: string;
  phase: ErasurePhase;
  userId: string;
  cornerStoreId: string;
  /** The row of the request: ids, codes and times. A backup from before the request has none. */
  request: { id: string } & Record<string, unknown>;
  /** Blind indexes (base64) of the phones that were erased; empty for a block, which erases no phone. */
  phoneIndexes: string[];
}

/**
 * A list, outside the database, of the persons who were blocked or erased. After a restore of a backup,
 * `reapply` blocks or erases the persons of the list again.
 */
export interface ErasedPersons {
  /**
   * Appends a line for a step. A step that is repeated after a crash appends another one.
   * @throws AppError SERVICE_UNAVAILABLE when the store is unavailable
   */
  add(person: ErasedPerson): Promise<void>;
  close(): Promise<void>;
}

/** Name of the file in the folder. It has a JSON line for each block and each erasure. */
const ERASED_PERSONS_FILE = 'erased-persons.jsonl';

/**
 * Keeps the lines in the folder of the anchors of the audit log. Where the documents are in an S3 store,
 * that folder may be gone with the instance, so the store keeps an object for each line too.
 */
export function createErasedPersons(
  folder: string,
  store: DocumentStore | undefined,
): ErasedPersons {
  return {
    add: async (person) => {
      const line = `${JSON.stringify(person)}\n`;
      await store?.put(Buffer.from(line));
      await mkdir(folder, { recursive: true });
      await appendFile(join(folder, ERASED_PERSONS_FILE), line, { flush: true });
    },
    close: async () => store?.close(),
  };
}

/** The line of the list for a step that all four services have done. */
export async function erasedPersonOf(
  db: Db,
  { id, phase, requestId, userId, cornerStoreId }: ErasureRow,
): Promise<ErasedPerson> {
  const known = await queryOne<Pick<ErasedPerson, 'request' | 'phoneIndexes'>>(
    db,
    `SELECT to_jsonb(r) AS request,
            ARRAY(SELECT encode(keyed_hash, 'base64') FROM erased_phones
                   WHERE erasure_id = $1 ORDER BY 1) AS "phoneIndexes"
       FROM privacy_requests r WHERE r.id = $2`,
    [id, requestId],
  );
  return { erasureId: id, phase, userId, cornerStoreId, ...known };
}
