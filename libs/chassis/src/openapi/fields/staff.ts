import type { Fields } from './field';

/** The lender's people and their sessions. */
export const staffFields: Fields = {
  staff: { description: 'The lender’s people' },
  staffId: {
    description: 'Id of the person',
    example: '0198c2d1-e0a5-7b3f-8e9a-4d2f1c7b8e3d',
  },
  email: { description: 'E-mail address, in lower case', example: 'ana@lender.example' },
  'StaffMember.name': { description: 'Name of the person', example: 'Ana Torres' },
  'InvitedStaff.name': { description: 'Name of the person', example: 'Ana Torres' },
  'InviteStaffBody.name': { description: 'Name of the person', example: 'Ana Torres' },
  role: { description: 'What the person may do; each role includes the ones before it' },
  passkeys: { description: 'Passkeys with which the person signs in', example: 1 },
  lastSignInAt: { description: 'Time of the last sign-in', example: '2026-11-22T16:05:00.000Z' },
  disabledAt: {
    description: 'Time at which the access was ended',
    example: '2026-11-22T17:00:00.000Z',
  },
  invitationLink: {
    description: 'Link that enrols a passkey; shown once',
    example: 'https://console.lender.example/invitacion/fiado_invite_4Jm2yGv8mQ0bT7c1',
  },
  sessions: { description: 'Sessions' },
  sessionId: {
    description: 'Id of the session',
    example: '0198c2d1-e0a5-7b3f-8e9a-4d2f1c7b8e3d',
  },
  authTime: {
    description: 'Time at which the person last proved who it is',
    example: '2026-11-22T16:05:00.000Z',
  },
  idleUntil: {
    description: 'Time at which it ends if it is not used',
    example: '2026-11-22T16:35:00.000Z',
  },
  endsAt: {
    description: 'Time at which it ends in any case',
    example: '2026-11-23T04:05:00.000Z',
  },
  address: { description: 'Address of the browser', example: '203.0.113.7' },
  agent: { description: 'Name of the browser', example: 'Mozilla/5.0' },
};
