/** Stores documents. Their content is already encrypted. */
export interface DocumentStore {
  /** Stores a content and returns its key. */
  put(content: Buffer): Promise<string>;
  /** @throws Error when there is nothing under the key */
  get(key: string): Promise<Buffer>;
  /** Does nothing when there is nothing under the key. */
  remove(key: string): Promise<void>;
  /** Keys of everything stored before a time, and of incomplete files. */
  listPutBefore(time: Date): Promise<string[]>;
}
