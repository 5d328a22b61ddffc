/**
 * Starts something before the tests of a file, or of its `describe`, and stops it after them.
 * @param start resolves to a plain object; the methods of a class would be lost
 * @returns an object that has the properties of that one once the tests run
 */
export function forAllTests<Started extends { stop(): Promise<void> }>(
  start: () => Promise<Started>,
): Started {
  const started = {} as Started;
  beforeAll(async () => {
    Object.assign(started, await start());
  });
  afterAll(() => started.stop());
  return started;
}
