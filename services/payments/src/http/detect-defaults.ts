import { Transform } from 'class-transformer';
import { IsDate, IsOptional } from 'class-validator';
import type { RequestHandler } from 'express';
import { DateTime } from 'luxon';
import { validInstance } from '@fiado/shared/chassis/http/validation';
import type { Context } from '../context';
import { detectDefaults } from '../use-cases/detect-defaults';

/** A timestamp names its zone: without one it would mean the server's. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

export class DetectDefaultsBody {
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => momentOf(value))
  @IsDate({ message: 'asOf must be a real ISO 8601 timestamp with a zone' })
  asOf?: Date | null;
}

/** POST /admin/defaults/detect: ops has defaults looked for now, or as of another moment. */
export function handleDetectDefaults(context: Context): RequestHandler {
  return async (req, res) => {
    // No body at all asks for now.
    const { asOf } = validInstance(DetectDefaultsBody, req.body ?? {}, 'refuse');
    const { opened } = await detectDefaults(context, asOf instanceof Date ? { asOf } : {});
    res.json({ opened });
  };
}

/** The moment of a timestamp; anything else stays as it is and fails its check. */
function momentOf(value: unknown): unknown {
  if (typeof value !== 'string' || !TIMESTAMP.test(value)) return value;
  const moment = DateTime.fromISO(value);
  return moment.isValid ? moment.toJSDate() : value;
}
