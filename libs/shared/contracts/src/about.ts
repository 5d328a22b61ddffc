/**
 * Description of a field in the API document. It ends without a full stop, because the description of the
 * type may follow. Objects, lists and closed lists of values have no example.
 */
export type Field = [description: string, example?: string | number | boolean];

/** Fields of an answer, which a body may have too. */
type DescribedFields = Record<string, { about?: Field }>;

type DtoClass = new () => object;

const ownFields = new WeakMap<object, Map<PropertyKey, Field>>();
const sharedFields = new WeakMap<object, DescribedFields>();

/** Describes a field of a body or a query. */
export function About(...field: Field): PropertyDecorator {
  return (prototype, name) => {
    const fields = ownFields.get(prototype) ?? new Map<PropertyKey, Field>();
    ownFields.set(prototype, fields.set(name, field));
  };
}

/** A body whose fields mean what the fields of these names mean in answers. */
export function DescribedAs(...answers: Array<DescribedFields | undefined>): ClassDecorator {
  return ({ prototype }) => {
    sharedFields.set(prototype as object, Object.assign({}, ...answers) as DescribedFields);
  };
}

/** @returns how a class, or one that it extends, describes a field; undefined where none does */
export function aboutField(Class: DtoClass, name: string): Field | undefined {
  let prototype = Class.prototype as object | null;
  while (prototype !== null) {
    const about = ownFields.get(prototype)?.get(name) ?? sharedFields.get(prototype)?.[name]?.about;
    if (about !== undefined) return about;
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return undefined;
}
