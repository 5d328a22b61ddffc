import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { pendingChange, presentPendingChange } from '@fiado/chassis/four-eyes';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { SCOPES_OF_KIND } from '@fiado/contracts/caller';
import { PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { STAFF_MEMBER, type StaffMember } from './staff.sql';

export const staffFields = {
  staffId: fields.staffId,
  email: t.field(t.text, 'E-mail address, in lower case', 'ana@lender.example'),
  name: t.field(t.text, 'Name of the person', 'Ana Torres'),
  role: t.field(
    t.oneOf(SCOPES_OF_KIND.ops),
    'What the person may do; each role includes the ones before it',
  ),
  passkeys: t.field(t.count, 'Passkeys with which the person signs in', 1),
  lastSignInAt: t.timeOrNull('Time of the last sign-in', '2026-11-22T16:05:00.000Z'),
  disabledAt: t.timeOrNull('Time at which the access was ended', '2026-11-22T17:00:00.000Z'),
  pendingChange,
  createdAt: fields.createdAt,
};

/** One of the lender's people. */
export const staffAnswer = t.object('StaffMember', staffFields);

export const exampleStaff: t.ExampleOf<typeof staffAnswer> = {
  role: 'operator',
  disabledAt: null,
  createdAt: '2026-11-20T10:00:00.000Z',
};

export const listStaffEndpoint = listEndpoint({
  id: 'listStaff',
  as: 'staff.list',
  columns: ['staffId', 'email', 'name', 'role', 'passkeys', 'lastSignInAt', 'disabledAt'],
  tag: 'Ops: staff',
  route: 'GET /v1/admin/staff',
  scope: 'admin',
  summary: 'List the staff',
  description: 'Newest first, including disabled people.',
  query: PageQuery,
  page: 'StaffPage',
  items: { staff: t.field(staffAnswer, 'The lender’s people') },
  cursor: t.text,
  example: exampleStaff,
  input: ({ query }) => query,
  find: ({ db }: Context, asked) =>
    pageOfRows<StaffMember>(db, asked, {
      select: `SELECT ${STAFF_MEMBER} FROM staff s`,
      from: 'staff s',
    }),
  present: presentStaff,
});

export function presentStaff(member: StaffMember): t.AnswerOf<typeof staffAnswer> {
  return t.presentRow(staffAnswer, member, {
    staffId: member.id,
    pendingChange: presentPendingChange(member.pendingChange),
  });
}
