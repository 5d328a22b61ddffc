import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { SCOPES_OF_KIND, type OpsScope } from '@fiado/contracts/scopes';
import { openChange } from '@fiado/chassis/openapi/change-requested';
import * as t from '@fiado/chassis/openapi/json-schema';
import { IsEmail, IsIn } from 'class-validator';
import { inviteStaff } from '../use-cases/invite-staff';
import { exampleStaff, presentStaff, staffFields } from './staff-answer';

const MAX_NAME = 100;

class InviteStaffBody {
  /** Address of the person, which the identity provider knows too. */
  @IsEmail()
  email: string;

  @IsNonEmptyText(MAX_NAME)
  name: string;

  @IsIn(SCOPES_OF_KIND.ops)
  role: OpsScope;
}

export const inviteStaffEndpoint = endpoint({
  id: 'inviteStaff',
  tag: 'Ops: staff',
  route: 'POST /v1/admin/staff',
  scope: 'admin',
  summary: 'Invite a person to the console',
  description:
    'The link is shown once, works once and for 24 hours. It enrols a passkey, which replaces an ' +
    'earlier one. Inviting somebody again, with the same name and role, makes the earlier links void ' +
    'and enables a disabled person. A person’s request waits for a second person; then whoever asked ' +
    'collects the link.',
  body: InviteStaffBody,
  bodyExample: { email: exampleStaff.email, name: exampleStaff.name, role: exampleStaff.role },
  status: 201,
  mayWait: true,
  errors: ['STAFF_ALREADY_EXISTS', 'CHANGE_ALREADY_REQUESTED'],
  errorFields: { CHANGE_ALREADY_REQUESTED: openChange },
  answer: t.object('InvitedStaff', { ...staffFields, invitationLink: t.uri }),
  example: {
    ...exampleStaff,
    passkeys: 0,
    lastSignInAt: null,
    invitationLink: 'https://console.lender.example/invitacion/fiado_invite_4Jm2yGv8mQ0bT7c1',
  },
  input: ({ body, caller: by }) => ({ by, email: body.email, name: body.name, role: body.role }),
  handle: inviteStaff,
  present: ({ member, invitationLink }) => ({ ...presentStaff(member), invitationLink }),
});
