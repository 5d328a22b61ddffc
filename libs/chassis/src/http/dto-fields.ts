import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { getMetadataStorage, IS_OPTIONAL, ValidationTypes } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';

export type DtoClass = new () => object;
export type Dto = Record<string, unknown>;

/** The decorators of one field of a DTO class. */
export interface DtoField {
  name: string;
  /** The class of the DTO that it holds, or of the DTOs in its array. */
  Nested: DtoClass | undefined;
  /** It may be left out: marked with `@IsOptional()`, or it has an initial value. */
  isOptional: boolean;
  /** Of an array. */
  maxItems: number;
  /** What its `@Transform()` makes of a value. */
  transform: (value: unknown, json: Dto) => unknown;
  /** Whether it is checked at all. */
  isChecked: (dto: object, value: unknown) => boolean;
  /** Its own checks; those of a DTO that it holds are that class's. */
  passes: (dto: object, value: unknown) => boolean;
}

const fieldsOfClass = new Map<DtoClass, DtoField[]>();

/**
 * The fields of a DTO class, in the order in which they are checked. class-validator looks up its
 * decorators for each object; this looks them up once.
 * @throws Error for a decorator with an asynchronous check
 */
export function fieldsOf(Class: DtoClass): DtoField[] {
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

/** class-transformer's TransformationType of plainToInstance. */
const PLAIN_TO_CLASS = 0;

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
