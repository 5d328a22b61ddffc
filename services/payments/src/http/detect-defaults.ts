import { Transform } from 'class-transformer';
import { IsDate, IsOptional } from 'class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { momentWithOffset } from '@fiado/contracts/request-dates';
import { detectDefaults } from '../use-cases/detect-defaults';

class DetectDefaultsBody {
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => momentOf(value))
  @IsDate({ message: 'asOf must be a real ISO 8601 timestamp with a zone' })
  asOf?: Date;
}

/** The moment of a timestamp; anything else stays as it is and fails its check. */
function momentOf(value: unknown): unknown {
  return typeof value === 'string' ? (momentWithOffset(value) ?? value) : value;
}

export const detectDefaultsEndpoint = endpoint({
  id: 'detectDefaults',
  tag: 'Ops: payments',
  route: 'POST /v1/admin/defaults/detect',
  scope: 'operator',
  summary: 'Detect overdue debts now',
  description: 'A future `asOf` is accepted in a sandbox only. Without a body: now.',
  body: DetectDefaultsBody,
  bodyExample: { asOf: '2026-10-07T00:00:00Z' },
  bodyOptional: true,
  answer: t.object('DetectedDefaults', { opened: t.count }),
  example: { opened: 3 },
  input: ({ body }) => body,
  handle: detectDefaults,
  present: ({ opened }) => ({ opened }),
});
