import { IsIn, IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';
import { IsArrayOf, IsPositiveAmount, IsQuantity } from '@fiado/contracts/decorators';
import { bodySchema, mergedBodySchema } from './body-schema';

class LineBody {
  @IsString()
  @MaxLength(10)
  name: string;

  @IsQuantity()
  quantity: number;
}

class OrderBody {
  @IsPositiveAmount()
  amount: number;

  @IsOptional()
  @IsString()
  note?: string;

  @IsIn(['a', 'b'])
  kind = 'a';

  @IsArrayOf(() => LineBody, { min: 1, max: 5 })
  lines: LineBody[];
}

class NoteBody {
  @IsString()
  @MaxLength(3)
  note: string;
}

it('describes what the decorators check: types, limits, nesting and optional fields', () => {
  expect(bodySchema(OrderBody)).toEqual({
    title: 'OrderBody',
    type: 'object',
    properties: {
      amount: {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: 100_000_000,
        description: 'MXN, at most 100,000,000, at most two decimals',
      },
      note: { type: ['string', 'null'] },
      kind: { type: ['string', 'null'], enum: ['a', 'b', null], default: 'a' },
      lines: {
        type: 'array',
        minItems: 1,
        maxItems: 5,
        items: {
          title: 'LineBody',
          type: 'object',
          properties: {
            name: { type: 'string', maxLength: 10 },
            quantity: {
              type: 'number',
              exclusiveMinimum: 0,
              exclusiveMaximum: 1e12,
              description: 'At most three decimals',
            },
          },
          required: ['name', 'quantity'],
        },
      },
    },
    required: ['amount', 'lines'],
  });
});

it('a body that several classes read needs only what all of them need', () => {
  const { properties, required } = mergedBodySchema([OrderBody, NoteBody]);

  expect(Object.keys(properties ?? {})).toEqual(['amount', 'note', 'kind', 'lines']);
  expect(properties?.note).toEqual({
    anyOf: [{ type: ['string', 'null'] }, { type: 'string', maxLength: 3 }, { type: 'null' }],
  });
  expect(required).toBeUndefined();
});

it('an unknown decorator is an error, not a gap in the document', () => {
  class OddBody {
    @ValidateBy({ name: 'isOdd', validator: { validate: () => true } })
    odd: number;
  }

  expect(() => bodySchema(OddBody)).toThrow('isOdd');
});
