import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { SCOPES_OF_KIND } from '@fiado/contracts/caller';
import type { Context } from '../context';
import { HAS_COME_IN, hasEnoughRoots, rootSql } from './roots.sql';
import type { StaffRow } from './staff.entity';

/** People and live keys that are shown at most: a lender has fewer. */
const MAX_SHOWN = 1000;

const WARNINGS = ['too-few-roots', 'without-root'] as const;

const MEMBER_KINDS = ['person', 'key'] as const;

const memberFields = {
  id: t.id('Id of the person or the ops key', 'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34'),
  kind: t.field(t.oneOf(MEMBER_KINDS), 'Person or key of ops'),
  name: t.field(t.text, 'Name of the person or the key', 'Ana Torres'),
  role: t.field(t.oneOf(SCOPES_OF_KIND.ops), 'Role of the person, scope of the key'),
  rootId: t.textOrNull(
    'Id of the person that it counts as, `ops` for OPS_API_KEY; null from before there were roots',
    'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
  ),
  rootName: t.textOrNull('Name of that person', 'Ana Torres'),
  createdAt: fields.createdAt,
};

interface Member extends Pick<StaffRow, 'name' | 'role' | 'rootId' | 'createdAt'> {
  id: string;
  kind: (typeof MEMBER_KINDS)[number];
  rootName: StaffRow['name'] | null;
}

const memberAnswer = t.object('RootedMember', memberFields);

export const listStaffRootsEndpoint = endpoint({
  id: 'listStaffRoots',
  as: 'staff.roots',
  columns: ['rootName', 'rootId', 'kind', 'name', 'role', 'id'],
  tag: 'Ops: staff',
  route: 'GET /v1/admin/staff/roots',
  scope: 'viewer',
  summary: 'List people and keys by the person that they count as',
  description:
    'Who has the same root does not decide what the other asked for. Of people who have come in and ' +
    'may still, and of keys that are valid, the first 1,000 by root.',
  answer: t.object('StaffRoots', {
    members: t.list(memberAnswer, 'People and keys, by root'),
    warning: t.field(
      t.nullable(t.oneOf(WARNINGS)),
      '`too-few-roots`: until two people have a root of their own, those without one are compared by who ' +
        'held whose link, so that one human may count as two; `without-root`: nobody decides with or for ' +
        'those who have none; null: nothing is to be done',
    ),
  }),
  example: { members: [{ role: 'admin' }] },
  input: () => undefined,
  handle: async ({ db, config }: Context) => {
    const members = await findMembers(db);
    const warning =
      config.FOUR_EYES === 'off' ? null : warningOf(members, await hasEnoughRoots(db));
    return { members, warning };
  },
  present: ({ members, warning }) => ({
    members: members.map((member) => t.presentRow(memberAnswer, member, {})),
    warning,
  }),
});

function findMembers(db: Db): Promise<Member[]> {
  return query<Member>(
    db,
    `SELECT member.*, r.name AS root_name
       FROM (
         SELECT id, 'person' AS kind, name, role, root_id::text AS root_id, created_at FROM staff s
          WHERE disabled_at IS NULL AND ${HAS_COME_IN}
         UNION ALL
         SELECT id, 'key', name, scope, ${rootSql('ops_keys.id')}, created_at FROM ops_keys
          WHERE revoked_at IS NULL AND expires_at > now()) member
       LEFT JOIN staff r ON r.id::text = member.root_id
      ORDER BY member.root_id NULLS FIRST, member.kind DESC, member.id LIMIT ${MAX_SHOWN}`,
  );
}

function warningOf(members: Member[], enough: boolean): (typeof WARNINGS)[number] | null {
  if (!enough) return 'too-few-roots';
  return members.some(({ rootId }) => rootId === null) ? 'without-root' : null;
}
