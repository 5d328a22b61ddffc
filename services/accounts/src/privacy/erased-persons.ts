import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The persons who were erased, in a file outside the database: after a restore they are erased again. */
export interface ErasedPersons {
  add(person: { id: string; userId: string; cornerStoreId: string }): Promise<void>;
}

/** The name of the file in the folder, with a JSON line for each erasure. */
export const ERASED_PERSONS_FILE = 'erased-persons.jsonl';

/** Keeps the lines in the folder of the anchors of the audit log. A line may stand twice. */
export function createErasedPersons(folder: string): ErasedPersons {
  return {
    add: async ({ id, userId, cornerStoreId }) => {
      await mkdir(folder, { recursive: true });
      const line = JSON.stringify({ erasureId: id, userId, cornerStoreId });
      await appendFile(join(folder, ERASED_PERSONS_FILE), `${line}\n`, { flush: true });
    },
  };
}
