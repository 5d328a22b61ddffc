import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import {
  beginIdentityProviderSignInCall,
  beginPasskeyEnrolmentCall,
  beginPasskeySignInCall,
  enrolPasskeyCall,
  identityProviderSignInCall,
  invitationSignInCall,
  openInvitationCall,
  passkeySignInCall,
  signInWaysCall,
  signOutCall,
  staffTokenCall,
} from '@fiado/contracts/staff-sign-in';
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
    call: signInWaysCall,
    allow,
    handle: async ({ identityProvider }: Context) => ({
      identityProvider: identityProvider !== undefined,
    }),
  }),
  internalEndpoint({
    call: openInvitationCall,
    allow,
    handle: openInvitation,
  }),
  internalEndpoint({
    call: beginPasskeyEnrolmentCall,
    allow,
    handle: beginPasskeyEnrolment,
  }),
  internalEndpoint({
    call: enrolPasskeyCall,
    allow,
    handle: enrolPasskey,
  }),
  internalEndpoint({
    call: invitationSignInCall,
    allow,
    handle: async (context: Context, signIn) => signInByInvitation(context, signIn),
  }),
  internalEndpoint({
    call: beginPasskeySignInCall,
    allow,
    handle: beginPasskeySignIn,
  }),
  internalEndpoint({
    call: passkeySignInCall,
    allow,
    handle: signInWithPasskey,
  }),
  internalEndpoint({
    call: beginIdentityProviderSignInCall,
    allow,
    handle: beginIdentityProviderSignIn,
  }),
  internalEndpoint({
    call: identityProviderSignInCall,
    allow,
    handle: signInWithIdentityProvider,
  }),
  internalEndpoint({
    call: staffTokenCall,
    allow,
    handle: issueStaffToken,
  }),
  internalEndpoint({
    call: signOutCall,
    allow,
    handle: async (context: Context, session) => {
      await signOut(context, session);
      return {};
    },
  }),
];
