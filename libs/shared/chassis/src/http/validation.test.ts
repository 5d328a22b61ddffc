import { Type } from 'class-transformer';
import {
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
} from '@fiado/contracts/class-validator';
import { IsArrayOf, IsMetadata } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { validInstance } from '../validation';

class Line {
  @IsString()
  name: string;
}

class Order {
  @IsString()
  id: string;

  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => Line)
  first?: Line;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Line)
  lines?: Line[];

  @IsOptional()
  @IsMetadata()
  metadata?: object;

  @IsIn(['a', 'b'])
  kind = 'a';
}

class NotedLine extends Line {
  @IsOptional()
  @IsString()
  note?: string;
}

class NotedOrder extends Order {
  @IsArrayOf(() => NotedLine, { max: 5 })
  noted: NotedLine[];
}

/** Names that every object answers to, so that looking them up in a table finds something. */
const INHERITED = [
  'toString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  '__defineGetter__',
  '__lookupSetter__',
];

function problemsOf(json: unknown): string[] {
  try {
    validInstance(Order, json, 'refuse');
    return [];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.problems;
  }
}

describe.each([...INHERITED, 'unknown'])('the unknown field %s', (field) => {
  it('is refused at the top, in a nested object and in an item of an array', () => {
    const line = { name: 'a', [field]: 1 };
    expect(problemsOf({ id: 'a', [field]: 1 })).toEqual([`property ${field} should not exist`]);
    expect(problemsOf({ id: 'a', first: line })).toEqual([
      `first.property ${field} should not exist`,
    ]);
    expect(problemsOf({ id: 'a', lines: [{ name: 'b' }, line] })).toEqual([
      `lines.1.property ${field} should not exist`,
    ]);
  });

  it('is dropped where unknown fields are ignored', () => {
    const order = validInstance(Order, { id: 'a', [field]: 1 }, 'ignore');
    expect(Object.keys(order)).not.toContain(field);
  });

  it('stays in metadata as it was sent', () => {
    const metadata = { [field]: 1, deep: { [field]: [{ [field]: 'x' }] } };
    const order = validInstance(Order, { id: 'a', metadata }, 'refuse');
    expect(JSON.stringify(order.metadata)).toBe(JSON.stringify(metadata));
  });
});

describe('null', () => {
  it('counts as absent in an optional field, inherited and nested ones included', () => {
    const json = {
      id: 'a',
      first: null,
      lines: null,
      metadata: null,
      kind: null,
      noted: [{ name: 'b', note: null }],
    };

    const order = validInstance(NotedOrder, json, 'refuse');

    expect(order).toEqual(
      Object.assign(new NotedOrder(), {
        id: 'a',
        kind: 'a',
        noted: [Object.assign(new NotedLine(), { name: 'b' })],
      }),
    );
    expect(Object.keys(order)).not.toContain('first');
    expect(json.first).toBeNull();
  });

  it('is refused in a required field and as an item of an array', () => {
    expect(problemsOf({ id: null })).toEqual(['id must be a string']);
    expect(problemsOf({ id: 'a', lines: [null] })).not.toEqual([]);
    expect(problemsOf({ id: 'a', first: { name: null } })).toEqual(['first.name must be a string']);
  });

  it('stays in metadata', () => {
    const metadata = { note: null, deep: [null, { first: null }] };
    const order = validInstance(Order, { id: 'a', metadata }, 'refuse');
    expect(order.metadata).toEqual(metadata);
  });
});

it('elements of an array that is too long are not validated', () => {
  const noted = Array.from({ length: 1_000 }, () => ({ name: 1 }));
  expect(() => validInstance(NotedOrder, { id: 'a', noted }, 'refuse')).toThrow(
    expect.objectContaining({ problems: ['noted must contain no more than 5 elements'] }),
  );
});

it('lists at most 100 problems', () => {
  const lines = Array.from({ length: 200 }, () => ({ name: 1 }));
  expect(problemsOf({ id: 'a', lines })).toHaveLength(100);
});

it('thousands of unknown fields cost nothing, and a hundred of them are named', () => {
  const unknown = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, i) => [`k${i}`, { a: [i] }]),
  );
  const metadata = { b: 1 };
  const json = { id: 'a', metadata, ...unknown };
  const made = validInstance(Order, json, 'ignore');
  expect(Object.keys(made).toSorted()).toEqual(['id', 'kind', 'metadata']);
  // What is kept as it was sent is the very same object: its numbers are remembered by it.
  expect(made.metadata).toBe(metadata);
  expect(problemsOf(json)).toHaveLength(100);
});
