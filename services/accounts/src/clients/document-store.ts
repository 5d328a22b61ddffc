/** Stores documents. Their content is already encrypted. */
export interface DocumentStore {
  /**
   * Stores a content and returns its key.
   * @throws AppError SERVICE_UNAVAILABLE when the store is unavailable; it may hold the content even so
   */
  put(content: Buffer): Promise<string>;
  /** @throws Error when there is nothing under the key, AppError SERVICE_UNAVAILABLE as put */
  get(key: string): Promise<Buffer>;
  /**
   * Does nothing when there is nothing under the key.
   * @throws AppError SERVICE_UNAVAILABLE as put
   */
  remove(key: string): Promise<void>;
  /** Pages of the keys of everything stored before a time, and of incomplete files. */
  listPutBefore(time: Date): AsyncIterable<string[]>;
  close(): Promise<void>;
}
