import { Matches } from 'class-validator';
import type { RequestHandler } from 'express';
import { validQuery } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import type { Context } from '../context';
import { findDefaults } from '../db/default-information.repository';
import { presentDefault } from './present-default';

/** Defaults of one page (design 2, Default). */
const PAGE_SIZE = 20;
/** Every page from here on is past the end; more digits than Postgres' OFFSET takes are no fault. */
const LAST_PAGE = 1_000_000_000;

export class DefaultInformationQuery {
  @Matches(/^[1-9]\d*$/, { message: 'page must be a positive integer' })
  page = '1';
}

/** e17: the wholesaler's defaults, open and paid, newest first. */
export function handleGetDefaultInformation(context: Context): RequestHandler {
  return async (req, res) => {
    const page = Math.min(Number(validQuery(DefaultInformationQuery, req).page), LAST_PAGE);
    const { id: wholesalerId } = callerOf(req);

    const { defaults, total } = await findDefaults(context.db, {
      wholesalerId,
      offset: (page - 1) * PAGE_SIZE,
      limit: PAGE_SIZE,
    });
    const totalPages = Math.ceil(total / PAGE_SIZE);
    res.json({
      paymentDefaults: defaults.map(presentDefault),
      totalPages,
      totalElements: total,
      last: page >= totalPages,
      first: page === 1,
    });
  };
}
