/** Where documents rest. What it is given is sealed already: it knows neither image nor person. */
export interface DocumentStore {
  /** Keeps a content for good, and returns the key to find it by. */
  put(content: Buffer): Promise<string>;
  /** @throws Error when there is nothing under the key */
  get(key: string): Promise<Buffer>;
  /** Does nothing when there is nothing under the key. */
  remove(key: string): Promise<void>;
  /** Keys of all that was put before a time, and of what was never written whole. */
  listPutBefore(time: Date): Promise<string[]>;
}
