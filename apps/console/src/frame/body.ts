import { type ApiField, readOperations } from '@fiado/ops-client/api-document';
import type { BodyOf, OperationId } from '@fiado/ops-client/operations';
import { amountIn, rateIn } from './formats';
import { endOfDayIn, fieldOf, type Visit } from './visit';

const operations = new Map(readOperations().map((operation) => [operation.id, operation]));

/** The fields that the API document has for the body of an operation. */
export function bodyFields(operation: OperationId): ApiField[] {
  return operations.get(operation)?.fields.filter(({ place }) => place === 'body') ?? [];
}

/** Whether an operation has a parameter or a field of that name. */
export function takes(operation: OperationId, name: string): boolean {
  return operations.get(operation)?.fields.some(({ path }) => path[0] === name) ?? false;
}

/** The fields of an operation's answer that are shown once. */
export function secretsOf(operation: OperationId): string[] {
  return operations.get(operation)?.secrets ?? [];
}

/**
 * The body of an operation, from the fields of a form that have its names: amounts, rates, days and texts, as the
 * API document says. A field that is empty and optional is left out. The API checks what was typed.
 */
export function bodyIn<Id extends OperationId>(visit: Visit, operation: Id): BodyOf<Id> {
  const values = bodyFields(operation).flatMap(({ path: [name = ''], type, isRequired }) => {
    const text = fieldOf(visit, name);
    return text === '' && !isRequired ? [] : [[name, valueIn(visit, { name, type, text })]];
  });
  return Object.fromEntries(values) as BodyOf<Id>;
}

function valueIn(
  visit: Visit,
  { name, type, text }: { name: string; type: ApiField['type']; text: string },
): unknown {
  if (type === 'rate') return rateIn(text);
  if (type === 'number' || type === 'integer') return amountIn(text);
  if (type === 'boolean') return text === 'true';
  if (type === 'moment') return endOfDayIn(visit, name) ?? text;
  return type === 'texts' ? text.split(/[\s,]+/).filter((one) => one !== '') : text;
}

/**
 * What of a body differs from today's values, so that a change asks for no more than was meant.
 * @returns undefined where nothing does
 */
export function changedIn<Body extends { reason?: string | null }>(
  { reason, ...typed }: Body,
  today: object,
): Body | undefined {
  const values = today as Record<string, unknown>;
  const changed = Object.entries(typed).filter(
    ([name, one]) => String(one) !== String(values[name]),
  );
  if (changed.length === 0) return undefined;
  return { ...Object.fromEntries(changed), ...(reason != null && { reason }) } as Body;
}
