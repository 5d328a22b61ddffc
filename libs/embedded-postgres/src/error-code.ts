/** The code of a system's, PostgreSQL's or network's error; empty when it has none. */
export function codeOf(error: unknown): string {
  // Not `instanceof Error`: Node's own errors are of another realm under Jest.
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
