import { parseProviderRoles, roleOfClaim } from './provider-roles.rules';

const ROLES = new Map([
  ['support', 'operator'],
  ['cn=admins', 'admin'],
] as const);

it('the roles of the identity provider are pairs of a value and a role', () => {
  expect(parseProviderRoles('support=operator, cn=admins=admin')).toEqual(ROLES);
});

it.each(['support', 'support=', '=admin', 'support=boss', 'support=operator,', 'a=admin,a=viewer'])(
  'other texts are refused: %s',
  (text) => {
    expect(parseProviderRoles(text)).toBeUndefined();
  },
);

it.each([
  ['support', 'operator'],
  [['other', 'cn=admins', 'support'], 'admin'],
  [['other'], undefined],
  [[], undefined],
  [undefined, undefined],
  [{ support: true }, undefined],
  [[['support']], undefined],
])('the claim %j stands for the role %s', (claim, role) => {
  expect(roleOfClaim(ROLES, claim)).toBe(role);
});
