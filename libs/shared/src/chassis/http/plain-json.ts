import { ValidationError } from '../../contracts/errors';

/** Deeper than any body of the API, metadata included. */
const MAX_DEPTH = 20;
/** More values than the largest body of the API holds: 1000 imported customers of 8 fields. */
const MAX_VALUES = 50_000;

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * The check below every DTO: class-validator lets deep nesting, NUL, lone surrogates and
 * `__proto__` through, and each of them breaks something further in (the stack, jsonb, objects).
 * @throws ValidationError naming the path of the first offence
 */
export function checkPlainJson(root: unknown): void {
  let values = 0;
  // A stack of our own: recursion is what a deep body attacks.
  const pending: Array<{ value: unknown; path: string; depth: number }> = [
    { value: root, path: '', depth: 0 },
  ];

  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { value, path, depth } = item;
    values += 1;
    if (values > MAX_VALUES)
      throw new ValidationError([`body must hold at most ${MAX_VALUES} values`]);
    if (typeof value === 'string') checkText(value, path);
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH) {
      throw new ValidationError([`${path || 'body'} must not be nested deeper than ${MAX_DEPTH}`]);
    }
    for (const [key, child] of Object.entries(value)) {
      const childPath = path === '' ? key : `${path}.${key}`;
      if (FORBIDDEN_KEYS.has(key))
        throw new ValidationError([`${childPath} is not allowed as a key`]);
      checkText(key, childPath);
      pending.push({ value: child, path: childPath, depth: depth + 1 });
    }
  }
}

/** Postgres keeps neither NUL nor half of a surrogate pair. */
function checkText(text: string, path: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new ValidationError([`${path} must be well-formed text without NUL`]);
  }
}
