import { DEFAULT_MAX_VALUES } from '@fiado/contracts/body-limits';
import { ValidationError } from '@fiado/contracts/errors';

/** Deeper than any body of the API, metadata included. */
const MAX_DEPTH = 20;
/**
 * Objects and arrays cost far more than the values in them: each is validated against its class.
 * The smallest line of an order or of an invoice has three fields.
 */
const VALUES_PER_CONTAINER = 3;
/**
 * Fields of one object. Metadata of 16 KB holds at most 2,700.
 */
const MAX_FIELDS = 3_000;

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

interface Container {
  value: object;
  /** Undefined for the root. */
  parent: Container | undefined;
  key: string;
  depth: number;
}

/**
 * Refuses a body of too many values before it is parsed: parsing takes memory many times the length
 * of the body. Each value comes after a comma or is the first one of an object or array, so the
 * bytes `,`, `[` and `{` outside of texts are counted.
 * @param bytes JSON in UTF-8
 * @returns how many of these bytes there are
 * @throws ValidationError
 */
export function checkValueCount(bytes: Uint8Array, maxValues: number): number {
  // An empty object counts twice here. The exact number is checked after parsing.
  const maxMarks = 2 * maxValues;
  let marks = 0;
  let inText = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (inText) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) {
      inText = true;
    } else if (byte === COMMA || byte === OPENING_BRACKET || byte === OPENING_BRACE) {
      marks += 1;
      if (marks > maxMarks) throw tooMany(maxValues, 'values');
    }
  }
  return marks;
}

/**
 * The check before every DTO. class-validator accepts deep nesting, NUL, lone surrogates and
 * `__proto__`, and each of them breaks something later (the stack, jsonb, objects). Values are
 * counted before they are visited.
 *
 * JSON.parse keeps the last of two fields with one name. Which one is meant is unknown, so such a body is refused: its
 * text has more separators than what was parsed.
 * @param marks what checkValueCount counted in the text
 * @throws ValidationError naming the path of the first problem
 */
export function checkPlainJson(
  root: unknown,
  maxValues: number = DEFAULT_MAX_VALUES,
  marks?: number,
): void {
  if (typeof root === 'string') checkText(root, () => '');
  if (typeof root !== 'object' || root === null) return;
  const maxContainers = Math.ceil(maxValues / VALUES_PER_CONTAINER);
  let values = 1;
  let containers = 0;
  let parsedMarks = 0;
  // An explicit stack, because a deep body attacks recursion.
  const pending: Container[] = [{ value: root, parent: undefined, key: '', depth: 0 }];

  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const container = item;
    const { value, depth } = container;
    containers += 1;
    if (containers > maxContainers) throw tooMany(maxContainers, 'objects and arrays');
    if (depth >= MAX_DEPTH) {
      const path = pathOf(container) || 'body';
      throw new ValidationError([`${path} must not be nested deeper than ${MAX_DEPTH}`]);
    }
    const isArray = Array.isArray(value);
    if (isArray && values + value.length > maxValues) throw tooMany(maxValues, 'values');
    const keys = Object.keys(value);
    values += keys.length;
    parsedMarks += Math.max(keys.length, 1);
    if (values > maxValues) throw tooMany(maxValues, 'values');
    if (!isArray && keys.length > MAX_FIELDS) {
      const path = pathOf(container) || 'body';
      throw new ValidationError([`${path} must have at most ${MAX_FIELDS} fields`]);
    }

    for (const key of keys) {
      const childPath = (): string => pathOf(container, key);
      if (FORBIDDEN_KEYS.has(key)) {
        throw new ValidationError([`${childPath()} is not allowed as a key`]);
      }
      checkText(key, childPath);
      const child = (value as Record<string, unknown>)[key];
      if (typeof child === 'string') checkText(child, childPath);
      if (typeof child !== 'object' || child === null) continue;
      pending.push({ value: child, parent: container, key, depth: depth + 1 });
    }
  }
  if (marks !== undefined && marks > parsedMarks) {
    throw new ValidationError(['body must not hold a name twice in one object']);
  }
}

/** Postgres stores neither NUL nor half of a surrogate pair. */
function checkText(text: string, path: () => string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new ValidationError([`${path()} must be well-formed text without NUL`]);
  }
}

/** The path of a container, or of a field in it; empty for the root. */
function pathOf(container: Container, field?: string): string {
  const keys = field === undefined ? [] : [field];
  for (let one = container; one.parent !== undefined; one = one.parent) keys.unshift(one.key);
  return keys.join('.');
}

function tooMany(most: number, what: string): ValidationError {
  return new ValidationError([`body must hold at most ${most} ${what}`]);
}
