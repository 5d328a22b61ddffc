import { Transform } from 'class-transformer';
import { IsDate, IsOptional } from 'class-validator';
import type { RequestHandler } from 'express';
import { validInstance } from '@fiado/shared/chassis/http/validation';
import { momentWithOffset } from '@fiado/shared/request-dates';
import type { Context } from '../context';
import { detectDefaults } from '../use-cases/detect-defaults';

export class DetectDefaultsBody {
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => momentOf(value))
  @IsDate({ message: 'asOf must be a real ISO 8601 timestamp with a zone' })
  asOf?: Date;
}

/** POST /admin/defaults/detect: ops has defaults looked for now, or as of another moment. */
export function handleDetectDefaults(context: Context): RequestHandler {
  return async (req, res) => {
    // No body at all asks for now.
    const { asOf } = validInstance(DetectDefaultsBody, req.body ?? {}, 'refuse');
    const { opened } = await detectDefaults(context, asOf === undefined ? {} : { asOf });
    res.json({ opened });
  };
}

/** The moment of a timestamp; anything else stays as it is and fails its check. */
function momentOf(value: unknown): unknown {
  return typeof value === 'string' ? (momentWithOffset(value) ?? value) : value;
}
