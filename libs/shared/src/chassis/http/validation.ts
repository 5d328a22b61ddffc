import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError as Failure } from 'class-validator';
import { ValidationError } from '../../contracts/errors';
import { dropNulls } from './absent-nulls';

/** ignore: unknown fields are dropped (e1 to e18). refuse: each is a problem (Fiado's own routes). */
export type UnknownFields = 'ignore' | 'refuse';

/** A longer list helps nobody: thousands of wrong lines would make an answer of megabytes. */
const MAX_PROBLEMS = 100;

/**
 * Turns parsed JSON into an instance of a DTO class, holding nothing but the class's fields. An
 * optional field that is null counts as absent.
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
  const instance = plainToInstance(Class, json, { exposeDefaultValues: true });
  dropNulls(instance);
  const failures = validateSync(instance, {
    whitelist: true,
    forbidNonWhitelisted: unknownFields === 'refuse',
  });
  const problems = [
    ...failures.flatMap((one) => problemsOf(one, '')),
    ...(unknownFields === 'refuse' ? passedOver(json, instance, '') : []),
  ];
  if (problems.length > 0) throw new ValidationError(problems.slice(0, MAX_PROBLEMS));
  return instance;
}

/**
 * Unknown fields that have the name of something every object has, such as toString:
 * class-transformer passes them over, so that class-validator never sees them.
 */
function passedOver(json: unknown, made: unknown, path: string): string[] {
  if (typeof json !== 'object' || json === null || typeof made !== 'object' || made === null) {
    return [];
  }
  // What was taken over as it is, metadata for one, has nothing that is unknown.
  if (json === made) return [];
  return Object.entries(json).flatMap(([field, child]) => {
    if (Object.hasOwn(made, field)) {
      return passedOver(child, (made as Record<string, unknown>)[field], `${path}${field}.`);
    }
    return field in Object.prototype ? [`${path}property ${field} should not exist`] : [];
  });
}

/** class-validator names the property in its texts; a nested one gets the path in front. */
function problemsOf(failure: Failure, parent: string): string[] {
  const own = Object.values(failure.constraints ?? {}).map((text) => parent + text);
  const path = `${parent}${failure.property}.`;
  return [...own, ...(failure.children ?? []).flatMap((child) => problemsOf(child, path))];
}
