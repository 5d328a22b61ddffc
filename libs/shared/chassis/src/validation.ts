import { isDeepStrictEqual } from 'node:util';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import {
  getMetadataStorage,
  IS_OPTIONAL,
  validateSync,
  type ValidationError as Failure,
  ValidationTypes,
} from '@fiado/contracts/class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import { ALSO_WHEN_MISSING } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';

const fieldsOfClass = new Map<DtoClass, DtoField[]>();

/** class-transformer's TransformationType of plainToInstance. */
const PLAIN_TO_CLASS = 0;

/** Takes the path of a field that is ignored, such as `products.0.colour`. */
export type NoteIgnored = (path: string) => void;

/**
 * ignore: unknown fields are dropped (calls and jobs between processes of two releases). refuse: each is
 * a problem. A function (endpoints of the specification): they are dropped and it is called. One with nearly
 * the name of a field that is absent was meant: it is a problem with the right name.
 */
type UnknownFields = 'ignore' | 'refuse' | NoteIgnored;

/** The problems of unknown fields so far, and what is done with the next one. */
interface Unknowns {
  problems: string[];
  treat: Exclude<UnknownFields, 'ignore'>;
}

/** Limits the answer: thousands of wrong lines would make megabytes. */
const MAX_PROBLEMS = 100;

/**
 * Turns parsed JSON into an instance of a DTO class, holding nothing but the class's fields. An
 * optional field that is null counts as absent.
 *
 * The decorators are class-transformer's and class-validator's. Their own functions take 15
 * microseconds for each line of an order, 150 ms for the largest batch; so they are only called to
 * produce the error messages.
 * @throws ValidationError with one text for each problem, with the field's path
 */
export function validInstance<T extends object>(
  Class: new () => T,
  json: unknown,
  unknownFields: UnknownFields,
): T {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new ValidationError(['body must be a JSON object']);
  }
  const unknown: string[] = [];
  const unknowns =
    unknownFields === 'ignore' ? undefined : { problems: unknown, treat: unknownFields };
  const instance = instanceOf(Class, json as Dto, '', unknowns) as T;
  if (isValid(instance)) {
    if (unknown.length === 0) return instance;
    throw new ValidationError(unknown);
  }
  keepWrongItems(instance);
  const problems = validateSync(instance).flatMap((failure) => problemsOf(failure, ''));
  if (problems.length === 0) throw new Error(`class-validator lets a wrong ${Class.name} pass`);
  throw new ValidationError([...unknown, ...problems].slice(0, MAX_PROBLEMS));
}

/**
 * @param path of the DTO, with a dot behind it; empty for the outermost
 * @param unknowns takes up to MAX_PROBLEMS problems about unknown fields; undefined to ignore them
 */
function instanceOf(
  Class: DtoClass,
  json: Dto,
  path: string,
  unknowns: Unknowns | undefined,
): object {
  const made = new Class() as Dto;
  const fields = fieldsOf(Class);
  let known = 0;
  for (const { name, Nested, isOptional, maxItems, transform } of fields) {
    // Inherited names, such as toString, count as absent.
    if (!Object.hasOwn(json, name)) continue;
    known += 1;
    const value = json[name];
    if (value === null && isOptional) continue;
    const isTooLong = Array.isArray(value) && value.length > maxItems;
    if (Nested === undefined) made[name] = transform(value, json);
    // Only the length check remains, which refuses it.
    else if (isTooLong) made[name] = Object.assign([], { length: maxItems + 1 });
    else made[name] = nestedOf(Nested, value, `${path}${name}.`, unknowns);
  }
  if (unknowns !== undefined && Object.keys(json).length > known) {
    treatUnknown(fields, json, path, unknowns);
  }
  return made;
}

function treatUnknown(
  fields: DtoField[],
  json: Dto,
  path: string,
  { problems, treat }: Unknowns,
): void {
  const known = new Set(fields.map(({ name }) => name));
  const absent = fields.filter(({ name }) => !Object.hasOwn(json, name) || json[name] === null);
  for (const name of Object.keys(json)) {
    if (problems.length === MAX_PROBLEMS) break;
    if (known.has(name)) continue;
    const meant = absent.find((field) => isNearly(name, field.name));
    if (meant !== undefined) {
      problems.push(`${path}property ${name} is unknown: the field is called ${meant.name}`);
    } else if (treat === 'refuse') problems.push(`${path}property ${name} should not exist`);
    else treat(path + name);
  }
}

/** Whether two names differ by capitals and at most one letter that is missing, added or another one. */
function isNearly(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  const isShorter = one.length < other.length;
  const short = (isShorter ? one : other).toLowerCase();
  const long = (isShorter ? other : one).toLowerCase();
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  const rest = short.length === long.length ? same + 1 : same;
  return long.slice(same + 1) === short.slice(rest);
}

/** Anything but an object or an array of them stays as it is, and fails its check. */
function nestedOf(
  Class: DtoClass,
  json: unknown,
  path: string,
  unknowns: Unknowns | undefined,
): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (!Array.isArray(json)) return instanceOf(Class, json as Dto, path, unknowns);
  return json.map((item, index) => nestedOf(Class, item, `${path}${index}.`, unknowns));
}

function isValid(dto: object): boolean {
  return fieldsOf(dto.constructor as DtoClass).every(({ name, Nested, isChecked, passes }) => {
    const value = (dto as Dto)[name];
    if (!isChecked(dto, value)) return true;
    if (!passes(dto, value)) return false;
    if (Nested === undefined || value === undefined) return true;
    return Array.isArray(value) ? value.every(isValidNested) : isValidNested(value);
  });
}

function isValidNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isValid(value);
}

/** Leaves holes for the items of arrays that are right, and for more wrong ones than are named. */
function keepWrongItems(dto: object): void {
  for (const { name, Nested } of fieldsOf(dto.constructor as DtoClass)) {
    const value = (dto as Dto)[name];
    if (Nested === undefined || typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) {
      keepWrongItems(value);
      continue;
    }
    const wrong: unknown[] = Object.assign([], { length: value.length });
    let kept = 0;
    for (let index = 0; index < value.length && kept < MAX_PROBLEMS; index += 1) {
      const item: unknown = value[index];
      if (!(index in value) || isValidNested(item)) continue;
      wrong[index] = item;
      kept += 1;
      if (item instanceof Nested) keepWrongItems(item);
    }
    (dto as Dto)[name] = wrong;
  }
}

/**
 * class-validator names the property in its texts; a nested one gets the path in front. A field that is
 * missing is one problem, however many of its checks fail.
 */
function problemsOf(failure: Failure, parent: string): string[] {
  if (failure.value === undefined) {
    const { property, constraints = {}, contexts = {} } = failure;
    const own = Object.keys(contexts).find((name) =>
      isDeepStrictEqual(contexts[name], ALSO_WHEN_MISSING),
    );
    return [parent + (constraints[own ?? ''] ?? `${property} is required`)];
  }
  const own = Object.values(failure.constraints ?? {}).map((text) => parent + text);
  const path = `${parent}${failure.property}.`;
  return [...own, ...(failure.children ?? []).flatMap((child) => problemsOf(child, path))];
}

type DtoClass = new () => object;

type Dto = Record<string, unknown>;

/** The decorators of one field of a DTO class. */
interface DtoField {
  name: string;
  /** The class of the DTO that it holds, or of the DTOs in its array. */
  Nested: DtoClass | undefined;
  /** It may be left out: marked with `@IsOptional()`, or it has an initial value. */
  isOptional: boolean;
  /** Most items of an array. */
  maxItems: number;
  /** The result of its `@Transform()` for a value. */
  transform: (value: unknown, json: Dto) => unknown;
  /** Whether it is checked at all. */
  isChecked: (dto: object, value: unknown) => boolean;
  /** Its own checks; those of a DTO that it holds are that class's. */
  passes: (dto: object, value: unknown) => boolean;
}

/**
 * The fields of a DTO class, in the order in which they are checked. class-validator looks up its
 * decorators for each object; this looks them up once.
 * @throws Error for a decorator with an asynchronous check
 */
function fieldsOf(Class: DtoClass): DtoField[] {
  const known = fieldsOfClass.get(Class);
  if (known !== undefined) return known;
  const storage = getMetadataStorage();
  const decorators = storage.groupByPropertyName(
    storage.getTargetValidationMetadatas(Class, '', false, false),
  );
  const initial = new Class() as Dto;
  const fields = Object.entries(decorators).map(([name, ofField]) =>
    fieldOf(Class, name, { decorators: ofField, hasDefault: initial[name] !== undefined }),
  );
  fieldsOfClass.set(Class, fields);
  return fields;
}

function fieldOf(
  Class: DtoClass,
  name: string,
  { decorators, hasDefault }: { decorators: ValidationMetadata[]; hasDefault: boolean },
): DtoField {
  const ofType = (type: string) => decorators.filter((one) => one.type === type);
  if (ofType(ValidationTypes.PROMISE_VALIDATION).length > 0) throw unsupported(Class, name);
  const isNested = ofType(ValidationTypes.NESTED_VALIDATION).length > 0;
  const conditions = ofType(ValidationTypes.CONDITIONAL_VALIDATION);
  const checks = ofType(ValidationTypes.CUSTOM_VALIDATION).map((one) => checkOf(Class, one));
  const transforms = defaultMetadataStorage.findTransformMetadatas(Class, name, PLAIN_TO_CLASS);
  return {
    name,
    Nested: isNested
      ? defaultMetadataStorage.findTypeMetadata(Class, name)?.typeFunction()
      : undefined,
    isOptional: hasDefault || decorators.some((one) => one.name === IS_OPTIONAL),
    maxItems: decorators.find((one) => one.name === 'arrayMaxSize')?.constraints[0] ?? Infinity,
    transform: (value, obj) =>
      transforms.reduce(
        (made, { transformFn }) => transformFn({ value: made, key: name, obj }),
        value,
      ),
    isChecked: (dto, value) => conditions.every(({ constraints: [holds] }) => holds(dto, value)),
    passes: (dto, value) => checks.every((check) => check(dto, value)),
  };
}

/** Runs the check of a class-validator decorator as the library does. */
function checkOf(Class: DtoClass, decorator: ValidationMetadata): DtoField['passes'] {
  const { propertyName: property, constraints, each, validateIf } = decorator;
  const validators = getMetadataStorage()
    .getTargetValidatorConstraints(decorator.constraintCls)
    .map((constraint) => {
      if (constraint.async) throw unsupported(Class, property);
      return constraint.instance;
    });
  return (object, value) => {
    if (validateIf?.(object, value) === false) return true;
    const asked = { targetName: Class.name, property, object, value, constraints };
    const isValid = (one: unknown) =>
      validators.every((validator) => Boolean(validator.validate(one, asked)));
    return each && Array.isArray(value) ? value.every(isValid) : isValid(value);
  };
}

function unsupported(Class: DtoClass, field: string): Error {
  return new Error(`${Class.name}.${field} has a check that must be awaited`);
}
