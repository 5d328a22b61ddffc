import { getMetadataStorage, IS_OPTIONAL } from 'class-validator';

type Dto = Record<string, unknown>;
type DtoClass = new () => object;

/** The optional fields of each DTO class with the value that each has when it is absent. */
const optionalFields = new Map<DtoClass, Map<string, unknown>>();

/**
 * Removes every optional field that is null from a DTO instance and from the DTOs nested in it, or
 * gives it its default: null counts as absent. A field is optional when it is marked with
 * `@IsOptional()` or has an initial value. Plain objects, such as metadata, are left as they are.
 */
export function dropNulls(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) dropNulls(item);
    return;
  }
  const Class: unknown = Object.getPrototypeOf(value)?.constructor;
  if (typeof Class !== 'function' || Class === Object) return;

  const dto = value as Dto;
  for (const [name, valueWhenAbsent] of optionalFieldsOf(Class as DtoClass)) {
    if (dto[name] !== null) continue;
    if (valueWhenAbsent === undefined) delete dto[name];
    else dto[name] = valueWhenAbsent;
  }
  for (const child of Object.values(dto)) dropNulls(child);
}

function optionalFieldsOf(Class: DtoClass): Map<string, unknown> {
  const known = optionalFields.get(Class);
  if (known !== undefined) return known;
  const marked = getMetadataStorage()
    .getTargetValidationMetadatas(Class, '', false, false)
    .filter(({ name }) => name === IS_OPTIONAL)
    .map(({ propertyName }): [string, unknown] => [propertyName, undefined]);
  const defaults = Object.entries(new Class()).filter(([, value]) => value !== undefined);
  const fields = new Map([...marked, ...defaults]);
  optionalFields.set(Class, fields);
  return fields;
}
