import { endpoint } from '@fiado/chassis/http/endpoint';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { findChangeRequest } from '../db/change-requests.repository';
import {
  changeRequestAnswer,
  exampleChangeRequest,
  presentChangeRequest,
} from './change-request-answer';

export const getChangeRequestEndpoint = endpoint({
  id: 'getChangeRequest',
  tag: 'Ops: operation',
  route: 'GET /v1/admin/change-requests/:changeRequestId',
  scope: 'operator',
  summary: 'Get a change request',
  errors: ['CHANGE_REQUEST_NOT_FOUND'],
  answer: changeRequestAnswer,
  example: exampleChangeRequest,
  input: ({ id }) => id('changeRequestId', 'CHANGE_REQUEST_NOT_FOUND'),
  handle: async ({ db }: Context, changeRequestId) => {
    const found = await findChangeRequest(db, changeRequestId);
    if (found === undefined) throw new AppError('CHANGE_REQUEST_NOT_FOUND');
    return found;
  },
  present: presentChangeRequest,
});
