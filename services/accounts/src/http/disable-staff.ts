import { endpoint } from '@fiado/chassis/http/endpoint';
import { disableStaff } from '../use-cases/disable-staff';
import { exampleStaff, presentStaff, staffAnswer } from './staff-answer';

export const disableStaffEndpoint = endpoint({
  id: 'disableStaff',
  tag: 'Ops: staff',
  route: 'POST /v1/admin/staff/:staffId/disable',
  scope: 'admin',
  summary: 'End a person’s access',
  description:
    'Ends the person’s sessions everywhere within 5 seconds, and its open invitations. The last admin ' +
    'is refused (`LAST_ADMIN`), unless a key asks.',
  errors: ['STAFF_NOT_FOUND', 'LAST_ADMIN'],
  answer: staffAnswer,
  example: { ...exampleStaff, disabledAt: '2026-11-22T17:00:00.000Z' },
  input: ({ id, caller: by }) => ({ by, staffId: id('staffId', 'STAFF_NOT_FOUND') }),
  handle: disableStaff,
  present: presentStaff,
});
