/** How far a deposit has come: its status only moves on, so a higher number is a later state. */
const VERSIONS = { received: 0, unmatched: 1, applied: 2, reversed: 3 };

export function depositVersion({ status }: { status: keyof typeof VERSIONS }): number {
  return VERSIONS[status];
}
