import { internalEndpoint } from '@fiado/shared/chassis/http/endpoint';
import {
  IdentityProviderQuestion,
  IdentityProviderReturn,
  InvitationQuestion,
  InvitationSignIn,
  NoQuestion,
  PasskeyEnrolment,
  PasskeySignIn,
  StaffSessionQuestion,
  type SignInWays,
} from '@fiado/shared/contracts/staff-sign-in';
import type { Context } from '../context';
import { beginIdentityProviderSignIn } from '../use-cases/begin-identity-provider-sign-in';
import { beginPasskeyEnrolment } from '../use-cases/begin-passkey-enrolment';
import { beginPasskeySignIn } from '../use-cases/begin-passkey-sign-in';
import { enrolPasskey } from '../use-cases/enrol-passkey';
import { issueStaffToken } from '../use-cases/issue-staff-token';
import { openInvitation } from '../use-cases/open-invitation';
import { signInByInvitation } from '../use-cases/sign-in-by-invitation';
import { signInWithIdentityProvider } from '../use-cases/sign-in-with-identity-provider';
import { signInWithPasskey } from '../use-cases/sign-in-with-passkey';
import { signOut } from '../use-cases/sign-out';

const allow: Array<'anonymous'> = ['anonymous'];

/** How people sign in. Each is called without a credential, so each checks a token of its own. */
export const signInEndpoints = [
  internalEndpoint({
    path: '/v1/sign-in/ways',
    allow,
    body: NoQuestion,
    handle: async ({ identityProvider }: Context): Promise<SignInWays> => ({
      identityProvider: identityProvider !== undefined,
    }),
  }),
  internalEndpoint({
    path: '/v1/sign-in/invitation',
    allow,
    body: InvitationQuestion,
    handle: openInvitation,
  }),
  internalEndpoint({
    path: '/v1/sign-in/passkey-creation',
    allow,
    body: InvitationQuestion,
    handle: beginPasskeyEnrolment,
  }),
  internalEndpoint({
    path: '/v1/sign-in/enrol',
    allow,
    body: PasskeyEnrolment,
    handle: enrolPasskey,
  }),
  internalEndpoint({
    path: '/v1/sign-in/link',
    allow,
    body: InvitationSignIn,
    handle: async (context: Context, signIn) => signInByInvitation(context, signIn),
  }),
  internalEndpoint({
    path: '/v1/sign-in/passkey-request',
    allow,
    body: NoQuestion,
    handle: beginPasskeySignIn,
  }),
  internalEndpoint({
    path: '/v1/sign-in/passkey',
    allow,
    body: PasskeySignIn,
    handle: signInWithPasskey,
  }),
  internalEndpoint({
    path: '/v1/sign-in/identity-provider',
    allow,
    body: IdentityProviderQuestion,
    handle: beginIdentityProviderSignIn,
  }),
  internalEndpoint({
    path: '/v1/sign-in/identity-provider-return',
    allow,
    body: IdentityProviderReturn,
    handle: signInWithIdentityProvider,
  }),
  internalEndpoint({
    path: '/v1/sign-in/token',
    allow,
    body: StaffSessionQuestion,
    handle: issueStaffToken,
  }),
  internalEndpoint({
    path: '/v1/sign-in/end',
    allow,
    body: StaffSessionQuestion,
    handle: async (context: Context, session) => {
      await signOut(context, session);
      return {};
    },
  }),
];
