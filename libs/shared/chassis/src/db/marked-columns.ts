import { getMetadataArgsStorage } from './typeorm';
import type { SealedColumn, SealedTable } from '../keys/sealed-tables';
import type { DataClassName, PersonalTable } from './personal-data';

type PersonalMark = PersonalTable['columns'][string];
type SealedMark = Omit<SealedColumn, 'column'>;

/** By class of an entity, then by property. */
const PERSONAL = new Map<Function, Map<string, PersonalMark>>();
const SEALED = new Map<Function, Map<string, SealedMark>>();

/**
 * Marks a column of an entity that contains data of the owner of a corner store.
 * @param dataClass one of DATA_CLASSES
 * @param actions replace actions of the class
 */
export function Personal(
  dataClass: DataClassName,
  actions: Omit<Exclude<PersonalMark, string>, 'class'> = {},
): PropertyDecorator {
  return mark(PERSONAL, { class: dataClass, ...actions });
}

/**
 * Marks a column of an entity whose values are sealed.
 * @param purpose each column has one of its own, so that a value moved to another does not open
 * @param boundTo SQL of the id that its values are bound to; the primary key without it
 */
export function Sealed(purpose: string, boundTo?: string): PropertyDecorator {
  return mark(SEALED, { purpose, ...(boundTo === undefined ? {} : { boundTo }) });
}

/** The table of an entity with its columns that are marked as personal, for the list of its schema (personal-data.ts). */
export function personalTableOf(
  entity: Function,
  described: Omit<PersonalTable, 'table' | 'columns'>,
): PersonalTable {
  const columns = Object.fromEntries(marksOf(PERSONAL, entity));
  return { table: tableOf(entity), ...described, columns };
}

/** The sealed columns of an entity, for the list of its schema (sealed-columns.ts). */
export function sealedTableOf(entity: Function): SealedTable {
  const key = getMetadataArgsStorage().columns.find(
    ({ target, options }) => target === entity && options.primary === true,
  );
  if (key === undefined) throw new Error(`${entity.name} has no primary key`);
  return {
    table: tableOf(entity),
    id: key.options.name ?? key.propertyName,
    columns: marksOf(SEALED, entity).map(([column, sealed]) => ({ column, ...sealed })),
  };
}

function tableOf(entity: Function): string {
  const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;
  if (table === undefined) throw new Error(`${entity.name} is not an entity`);
  return table;
}

function mark<Mark>(marks: Map<Function, Map<string, Mark>>, value: Mark): PropertyDecorator {
  return ({ constructor }, property) => {
    const ofEntity = marks.get(constructor) ?? new Map<string, Mark>();
    marks.set(constructor, ofEntity.set(String(property), value));
  };
}

/** By the names of the columns, in the order of the entity's properties. */
function marksOf<Mark>(
  marks: Map<Function, Map<string, Mark>>,
  entity: Function,
): Array<[string, Mark]> {
  return [...(marks.get(entity) ?? [])].map(([property, value]) => {
    const column = getMetadataArgsStorage().columns.find(
      ({ target, propertyName }) => target === entity && propertyName === property,
    );
    if (column === undefined) throw new Error(`${entity.name}.${property} is not a column`);
    return [column.options.name ?? property, value];
  });
}
