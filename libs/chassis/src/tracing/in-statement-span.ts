import { inSpan } from './tracer';

/** Runs a statement in a span that has its name: the text may quote values. */
export function inStatementSpan<T>(name: string, run: () => Promise<T>): Promise<T> {
  const attributes = { 'db.system.name': 'postgresql' as const, 'db.query.summary': name };
  return inSpan(name, { kind: 'client', attributes }, run);
}
