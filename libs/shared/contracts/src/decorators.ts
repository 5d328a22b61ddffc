// class-transformer's @Type looks for a type that decorators may have left; none of ours do.
import 'reflect-metadata';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBase64,
  IsInt,
  IsNotEmpty,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateNested,
  type ValidationArguments,
} from './class-validator';
import { foldKey } from './fold-key';
import { jsonTextOf } from './json-text';
import { isAmount, MAX_AMOUNT_CENTS } from './money';

const MAX_PESOS = MAX_AMOUNT_CENTS / 100;

/** Metadata is kept as sent, up to this size in bytes of JSON. */
const MAX_METADATA_BYTES = 16 * 1024;

/** Quantities are below this: with three decimals a double still holds them exactly. */
export const QUANTITY_LIMIT = 1e12;

/** Longer than any way to write a date or a timestamp, in characters. */
const MAX_DATE_TEXT = 40;

/** A peso amount of a request from zero: a JSON number with at most two decimals. */
export function IsNonNegativeAmount(): PropertyDecorator {
  return Passes(
    'isNonNegativeAmount',
    `$property must be an amount from 0 to ${MAX_PESOS} with at most two decimals`,
    (value) => isAmount(value) && value >= 0,
  );
}

/** An amount above zero. */
export function IsPositiveAmount(): PropertyDecorator {
  return Passes(
    'isPositiveAmount',
    `$property must be an amount above 0 and at most ${MAX_PESOS} with at most two decimals`,
    (value) => isAmount(value) && value > 0,
  );
}

/** An amount that may be negative, and is not zero. */
export function IsSignedAmount(): PropertyDecorator {
  return Passes(
    'isSignedAmount',
    `$property must be an amount other than 0, from -${MAX_PESOS} to ${MAX_PESOS}, with at most two decimals`,
    (value) => isAmount(value) && value !== 0,
  );
}

/** A quantity of goods: above zero, below QUANTITY_LIMIT, at most three decimals. */
export function IsQuantity(): PropertyDecorator {
  return Passes(
    'isQuantity',
    `$property must be a number above 0 and below ${QUANTITY_LIMIT} with at most three decimals`,
    (value) =>
      typeof value === 'number' &&
      value > 0 &&
      value < QUANTITY_LIMIT &&
      Number(value.toFixed(3)) === value,
  );
}

/** A plain JSON object that is kept as it was sent. */
export function IsMetadata(): PropertyDecorator {
  return Passes(
    'isMetadata',
    '$property must be a JSON object of at most 16 KB',
    (value) => isPlainObject(value) && Buffer.byteLength(jsonTextOf(value)) <= MAX_METADATA_BYTES,
  );
}

/**
 * An array of objects of one class. class-validator alone lets an array pass as an element
 * (`[[{…}]]`), because it validates what is inside it. The elements of an array that is too long are
 * neither made nor validated.
 */
export function IsArrayOf(
  itemClass: () => new () => object,
  { min = 0, max }: { min?: number; max: number },
): PropertyDecorator {
  return allOf(
    IsArray(),
    ArrayMinSize(min),
    ArrayMaxSize(max),
    Passes('isArrayOfObjects', '$property must hold JSON objects only', (value) =>
      Array.isArray(value) ? value.every(isPlainObject) : true,
    ),
    ValidateNested({ each: true }),
    Type(itemClass),
  );
}

/**
 * A whole number of a query or the environment, which are texts: a text becomes a number; one that
 * is none stays and fails the check.
 */
export function IsIntegerText(min: number, max = Number.MAX_SAFE_INTEGER): PropertyDecorator {
  return allOf(ReadNumber(), IsInt(), Min(min), Max(max));
}

/** A part of a whole in the environment, as IsIntegerText: above 0 and at most 1. */
export function IsShareText(): PropertyDecorator {
  return allOf(
    ReadNumber(),
    Passes(
      'isShareText',
      'must be a number above 0 and at most 1',
      (value) => typeof value === 'number' && value > 0 && value <= 1,
    ),
  );
}

function ReadNumber(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && value.trim() !== '' ? Number(value) : value,
  );
}

/** A text of at most `max` characters. */
export function IsText(max: number): PropertyDecorator {
  return allOf(MaxLength(max), IsString());
}

/** An ISO 8601 date or timestamp, which readDate() of request-dates reads. */
export function IsDateText(): PropertyDecorator {
  return IsText(MAX_DATE_TEXT);
}

/** A text of one to `max` characters. */
export function IsNonEmptyText(max: number): PropertyDecorator {
  return allOf(MaxLength(max), IsNotEmpty(), IsString());
}

/** Longest reference of a transfer, in characters: the tracking key of a CEP has 30. */
const MAX_BANK_REFERENCE = 64;

/** A bank's reference of a transfer. A letter of another alphabet would look the same and be another reference. */
export function IsBankReference(): PropertyDecorator {
  return allOf(
    Matches(/^[ -~]*[0-9A-Za-z][ -~]*$/, {
      message:
        '$property must have a letter or digit, and only letters without accents, digits and ASCII signs',
    }),
    IsNonEmptyText(MAX_BANK_REFERENCE),
  );
}

/** For keys that are compared folded: all keys that consist of white space or invisible marks would be equal. */
export function IsVisible(): PropertyDecorator {
  return Passes(
    'isVisible',
    '$property must have a visible character',
    (value) => typeof value !== 'string' || value === '' || foldKey(value) !== '',
  );
}

/** A whole number from zero. */
export function IsCount(max?: number): PropertyDecorator {
  return wholeNumber(0, max);
}

/** A whole number from one. */
export function IsCountFromOne(max?: number): PropertyDecorator {
  return wholeNumber(1, max);
}

function wholeNumber(min: number, max?: number): PropertyDecorator {
  return allOf(...(max === undefined ? [] : [Max(max)]), Min(min), IsInt());
}

/** A list of ids. */
export function AreIds(max?: number): PropertyDecorator {
  return allOf(IsUUID(undefined, { each: true }), ...listOf(max));
}

/** A list of bytes, in base64. */
export function AreBase64(max?: number): PropertyDecorator {
  return allOf(IsBase64(undefined, { each: true }), ...listOf(max));
}

function listOf(max?: number): PropertyDecorator[] {
  return max === undefined ? [IsArray()] : [ArrayMaxSize(max), IsArray()];
}

/** One decorator that applies several. */
export function allOf(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

/** The `context` of a check whose message is also used for a missing field, in place of `is required`. */
export const ALSO_WHEN_MISSING = { missing: true };

/** A decorator of a check; `$property` in the message stands for the name of the field. */
export function Passes(
  name: string,
  message: string,
  isValid: (value: unknown) => boolean,
): PropertyDecorator {
  return ValidateBy({ name, validator: { validate: isValid, defaultMessage: () => message } });
}

/**
 * A decorator of a rule that returns the problem, if there is one. The rule also gets the object that has the value,
 * and runs when the value is unset.
 * @param rule names the types of what it takes, which the compiler cannot know
 */
export function Obeys(
  rule: (value: never, holder: never, property: string) => string | undefined,
): PropertyDecorator {
  const problemOf = (args?: ValidationArguments) =>
    args && rule(args.value as never, args.object as never, args.property);
  return ValidateBy({
    name: rule.name,
    validator: {
      validate: (_value, args) => problemOf(args) === undefined,
      defaultMessage: (args) => problemOf(args) ?? 'is not valid',
    },
  });
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
