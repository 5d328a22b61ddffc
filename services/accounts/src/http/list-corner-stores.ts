import type { RequestHandler } from 'express';
import { validQuery } from '@fiado/shared/chassis/http/body';
import { ValidationError } from '@fiado/shared/contracts/errors';
import { IsIn, IsOptional, IsString, IsUUID, isUUID } from 'class-validator';
import type { Context } from '../context';
import type { Cursor } from '../db/corner-store-details.repository';
import { SHOWN_STATUSES, type ShownStatus } from '../domain/corner-store';
import { listCornerStores } from '../use-cases/list-corner-stores';
import { presentCornerStoreDetails } from './present-corner-store-details';

export class ListCornerStoresQuery {
  @IsOptional()
  @IsIn(SHOWN_STATUSES)
  status?: ShownStatus;

  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  /** The nextCursor of the page before. */
  @IsOptional()
  @IsString()
  cursor?: string;
}

/** GET /v1/admin/corner-stores. */
export function handleListCornerStores(context: Context): RequestHandler {
  return async (req, res) => {
    const { status, wholesalerId, cursor } = validQuery(ListCornerStoresQuery, req);
    const { cornerStores, next } = await listCornerStores(context, {
      status,
      wholesalerId,
      after: cursor === undefined ? undefined : readCursor(cursor),
    });
    res.json({
      cornerStores: cornerStores.map((store) => presentCornerStoreDetails(context, store)),
      nextCursor: next === undefined ? null : writeCursor(next),
    });
  };
}

function writeCursor({ createdMicros, cornerStoreId }: Cursor): string {
  return Buffer.from(`${createdMicros}.${cornerStoreId}`).toString('base64url');
}

function readCursor(cursor: string): Cursor {
  const [micros = '', cornerStoreId = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  if (!/^\d{1,16}$/.test(micros) || !isUUID(cornerStoreId)) {
    throw new ValidationError(['cursor must be the nextCursor of a page']);
  }
  return { createdMicros: Number(micros), cornerStoreId };
}
