import {
  IsIn,
  IsOptional,
  IsString,
  MaxLength,
  ValidateBy,
} from '@fiado/contracts/class-validator';
import { About, DescribedAs } from '@fiado/contracts/about';
import { IsArrayOf, IsPositiveAmount, IsQuantity } from '@fiado/contracts/decorators';
import { bodySchema, mergedBodySchema } from './body-schema';
import * as fields from './fields';
import * as t from './json-schema';

class LineBody {
  @About('Name of the product', 'Soda')
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
        format: 'double',
        minimum: 0.01,
        maximum: 100_000_000,
        description: 'MXN, at most 100,000,000, at most two decimals',
      },
      note: { type: ['string', 'null'] },
      kind: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }], default: 'a' },
      lines: {
        type: 'array',
        minItems: 1,
        maxItems: 5,
        items: {
          title: 'LineBody',
          type: 'object',
          properties: {
            name: { type: 'string', maxLength: 10, about: ['Name of the product', 'Soda'] },
            quantity: {
              type: 'number',
              format: 'double',
              minimum: 0.001,
              exclusiveMaximum: 1e12,
              description: 'At most three decimals',
              about: fields.quantity.about,
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

it('a field is described by its class, or as in the answers that the class names, or as the shared field', () => {
  @DescribedAs({ note: t.field(t.text, 'Of the answer'), kind: t.field(t.text, 'Of the answer') })
  class DescribedBody {
    @About('Of the class')
    @IsString()
    note: string;

    @IsString()
    kind: string;

    @IsString()
    userId: string;

    @IsString()
    other: string;
  }
  class NarrowerBody extends DescribedBody {}

  for (const Body of [DescribedBody, NarrowerBody]) {
    const { properties = {} } = bodySchema(Body);
    expect(Object.values(properties).map(({ about }) => about)).toEqual([
      ['Of the class'],
      ['Of the answer'],
      fields.userId.about,
      undefined,
    ]);
  }
});

it('an unknown decorator is an error, not a gap in the document', () => {
  class OddBody {
    @ValidateBy({ name: 'isOdd', validator: { validate: () => true } })
    odd: number;
  }

  expect(() => bodySchema(OddBody)).toThrow('isOdd');
});
