import type { ValidationError, ValidatorOptions } from 'class-validator';
import { Validator } from 'class-validator/cjs/validation/Validator';

/**
 * What Fiado uses of class-validator. Its index loads 250 modules more, all its decorators and those of validator
 * behind them: some 85 ms and 6 MB in each process. A decorator that is missing is added here; a test compares this
 * with the index.
 */
export { ArrayContains } from 'class-validator/cjs/decorator/array/ArrayContains';
export { ArrayMaxSize } from 'class-validator/cjs/decorator/array/ArrayMaxSize';
export { ArrayMinSize } from 'class-validator/cjs/decorator/array/ArrayMinSize';
export { ArrayNotEmpty } from 'class-validator/cjs/decorator/array/ArrayNotEmpty';
export { ArrayUnique } from 'class-validator/cjs/decorator/array/ArrayUnique';
export { Equals } from 'class-validator/cjs/decorator/common/Equals';
export { IsDefined } from 'class-validator/cjs/decorator/common/IsDefined';
export { IsIn } from 'class-validator/cjs/decorator/common/IsIn';
export { IsLatitude } from 'class-validator/cjs/decorator/common/IsLatitude';
export { IsLongitude } from 'class-validator/cjs/decorator/common/IsLongitude';
export { IsNotEmpty } from 'class-validator/cjs/decorator/common/IsNotEmpty';
export { IS_OPTIONAL, IsOptional } from 'class-validator/cjs/decorator/common/IsOptional';
export { ValidateBy } from 'class-validator/cjs/decorator/common/ValidateBy';
export { ValidateIf } from 'class-validator/cjs/decorator/common/ValidateIf';
export { ValidateNested } from 'class-validator/cjs/decorator/common/ValidateNested';
export { Max } from 'class-validator/cjs/decorator/number/Max';
export { Min } from 'class-validator/cjs/decorator/number/Min';
export { IsBase64 } from 'class-validator/cjs/decorator/string/IsBase64';
export { IsDateString } from 'class-validator/cjs/decorator/string/IsDateString';
export { IsEmail, isEmail } from 'class-validator/cjs/decorator/string/IsEmail';
export { IsISO31661Alpha2 } from 'class-validator/cjs/decorator/string/IsISO31661Alpha2';
export { IsISO8601 } from 'class-validator/cjs/decorator/string/IsISO8601';
export { IsRFC3339 } from 'class-validator/cjs/decorator/string/IsRFC3339';
export { IsTimeZone } from 'class-validator/cjs/decorator/string/IsTimeZone';
export { IsUUID, isUUID } from 'class-validator/cjs/decorator/string/IsUUID';
export { IsUrl, isURL } from 'class-validator/cjs/decorator/string/IsUrl';
export { Length } from 'class-validator/cjs/decorator/string/Length';
export { Matches } from 'class-validator/cjs/decorator/string/Matches';
export { MaxLength } from 'class-validator/cjs/decorator/string/MaxLength';
export { MinLength } from 'class-validator/cjs/decorator/string/MinLength';
export { IsArray } from 'class-validator/cjs/decorator/typechecker/IsArray';
export { IsBoolean } from 'class-validator/cjs/decorator/typechecker/IsBoolean';
export { IsDate } from 'class-validator/cjs/decorator/typechecker/IsDate';
export { IsInt } from 'class-validator/cjs/decorator/typechecker/IsInt';
export { IsNumber } from 'class-validator/cjs/decorator/typechecker/IsNumber';
export { IsObject } from 'class-validator/cjs/decorator/typechecker/IsObject';
export { IsString } from 'class-validator/cjs/decorator/typechecker/IsString';
export { getMetadataStorage } from 'class-validator/cjs/metadata/MetadataStorage';
export { ValidationTypes } from 'class-validator/cjs/validation/ValidationTypes';
export type { ValidationArguments, ValidationError } from 'class-validator';

const validator = new Validator();

/**
 * Checks an object by the decorators of its class.
 * @returns one entry for each property with a problem
 */
export const validateSync = (object: object, options?: ValidatorOptions): ValidationError[] =>
  validator.validateSync(object, options);
