import { endpoint } from '@fiado/chassis/http/endpoint';
import { SCOPES_OF_KIND, type OpsScope } from '@fiado/contracts/scopes';
import { openChange } from '@fiado/chassis/openapi/change-requested';
import { IsIn } from 'class-validator';
import { changeStaffRole } from '../use-cases/change-staff-role';
import { exampleStaff, presentStaff, staffAnswer } from './staff-answer';

class ChangeStaffRoleBody {
  @IsIn(SCOPES_OF_KIND.ops)
  role: OpsScope;
}

export const changeStaffRoleEndpoint = endpoint({
  id: 'changeStaffRole',
  tag: 'Ops: staff',
  route: 'PUT /v1/admin/staff/:staffId',
  scope: 'admin',
  summary: 'Give a person another role',
  description:
    'Ends the person’s sessions; the new role counts everywhere within 5 seconds. A role that allows ' +
    'more waits for a second person, where a person asks for it. The last admin cannot give the role ' +
    'up: `LAST_ADMIN`.',
  mayWait: true,
  body: ChangeStaffRoleBody,
  bodyExample: { role: 'approver' },
  errors: ['STAFF_NOT_FOUND', 'LAST_ADMIN', 'CHANGE_ALREADY_REQUESTED'],
  errorFields: { CHANGE_ALREADY_REQUESTED: openChange },
  answer: staffAnswer,
  example: { ...exampleStaff, role: 'approver' },
  input: ({ body, id, caller: by }) => ({
    by,
    role: body.role,
    staffId: id('staffId', 'STAFF_NOT_FOUND'),
  }),
  handle: changeStaffRole,
  present: presentStaff,
});
