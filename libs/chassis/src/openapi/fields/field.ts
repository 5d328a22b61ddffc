/** What the document tells of a field, wherever a field of this name stands. */
export interface Field {
  /** Ends without a full stop: the schema's own description may follow. */
  description: string;
  /** Absent for objects, lists and closed lists of values. */
  example?: string | number | boolean;
}

/** By the field's name, or by `Schema.name` where a name means something else in one schema. */
export type Fields = Record<string, Field>;
