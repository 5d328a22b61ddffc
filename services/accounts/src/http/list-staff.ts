import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { PageQuery, pageOf } from '@fiado/contracts/page';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { findStaff } from '../db/staff.repository';
import { exampleStaff, presentStaff, staffAnswer } from './staff-answer';

export const listStaffEndpoint = endpoint({
  id: 'listStaff',
  tag: 'Ops: staff',
  route: 'GET /v1/admin/staff',
  scope: 'admin',
  summary: 'List the staff',
  description: 'Newest first, including disabled people.',
  query: PageQuery,
  answer: t.object('StaffPage', {
    staff: t.listOf(staffAnswer),
    nextCursor: t.nullable(t.text),
  }),
  example: { staff: [exampleStaff], nextCursor: null },
  input: ({ query }) => query,
  handle: async ({ db }: Context, { cursor, limit }) => {
    await requireCursor(db, cursor, 'staff');
    return pageOf(await findStaff(db, cursor, limit + 1), limit, ({ id }) => id);
  },
  present: ({ page, nextCursor }) => ({ staff: page.map(presentStaff), nextCursor }),
});
