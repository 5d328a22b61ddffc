import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import type { Schema } from '@fiado/ops-client/operations';
import { control, csrfField, foldedForm, reasonField, roleField } from '../frame/form';
import { link } from '../frame/formats';
import { list, type Listing } from '../frame/lists';
import { firstPage } from '../frame/read';
import { change, type Route } from '../frame/serve';
import { mayDo, queryOf, type Viewer, type Visit } from '../frame/visit';
import { roleName, say } from '../frame/words';
import { secretForm } from '../keys/keys-of-party';

const staff = list('/personal', staffOf);

const INVITATION = {
  title: ['Invitación', 'Invitation'],
  notice: [
    'Da este enlace solo a esta persona. Se muestra una vez y dura 24 horas.',
    'Give this link to this person only. It is shown once and lasts 24 hours.',
  ],
} as const;

export const staffRoutes: Route[] = [
  staff,
  // Where a second person is needed, that person collects the link.
  secretForm(staff, '', INVITATION, 'inviteStaff'),
  change(staff, ':staffId/rol', 'guardado', 'changeStaffRole'),
  change(staff, ':staffId/baja', 'guardado', 'disableStaff'),
];

type Member = Schema<'StaffMember'>;
type Rooted = Schema<'RootedMember'>;

/** People with access of whom every word of a search is part of the name or the e-mail; none for who may not end it. */
export async function findColleagues({ viewer }: Visit, q: string): Promise<Member[]> {
  if (!mayDo(viewer, 'admin')) return [];
  const words = plain(q).split(/\s+/);
  return membersWho(viewer, ({ name, email, disabledAt }) => {
    const text = plain(`${name} ${email}`);
    return disabledAt === null && words.every((word) => text.includes(word));
  });
}

/** The address of the page that has nobody but this person, with the form that ends the access open. */
export function colleaguePage({ staffId }: Member): string {
  return `/personal?persona=${staffId}`;
}

/** Without accents and capitals, as the API compares names. */
function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

async function membersWho(
  { ops }: Viewer,
  isMeant: (member: Member) => boolean,
): Promise<Member[]> {
  const found: Member[] = [];
  for await (const member of ops.staff.list({ limit: 100 })) {
    if (isMeant(member)) found.push(member);
  }
  return found;
}

/** The lender's people, as whom they count where two are asked for, and a form to invite another. */
async function staffOf(visit: Visit): Promise<Listing<'listStaff'>> {
  const { viewer } = visit;
  const person = queryOf(visit, 'persona');
  const [{ members, warning }, { changeRequests }] = await Promise.all([
    viewer.ops.staff.roots(),
    firstPage(viewer.ops.changeRequests.list({ status: 'pending', limit: 100 })),
  ]);
  const asked = new Map<string, number>();
  for (const { requestedBy } of changeRequests) {
    asked.set(requestedBy, (asked.get(requestedBy) ?? 0) + 1);
  }
  const rooted = new Map(members.map((member) => [member.id, member]));
  const chosen =
    person === '' ? undefined : await membersWho(viewer, ({ staffId }) => staffId === person);
  return {
    of: 'listStaff',
    title: say('Personal', 'Staff'),
    lead: person !== '' && link('/personal', say('Ver a todas las personas', 'See everybody')),
    before: () => [rootsNotice(warning), inviteForm(visit)],
    ...(chosen !== undefined && { rows: () => chosen, isWhole: true }),
    href: ({ staffId }) => `/auditoria?status=changes&objeto=${staffId}`,
    columns: [
      [say('Nombre', 'Name'), 'name', 'name'],
      [say('Correo', 'E-mail'), 'email'],
      [
        say('Rol', 'Role'),
        (member) => [
          waitingLink(member),
          ' ',
          member.disabledAt === null ? roleForm(visit, member) : roleName(member.role),
        ],
      ],
      [say('Cuenta como', 'Counts as'), ({ staffId }) => rootName(rooted.get(staffId))],
      [say('Última entrada', 'Last sign-in'), 'lastSignInAt', 'when'],
      [
        say('Acceso', 'Access'),
        (member) =>
          member.disabledAt === null
            ? endForm(visit, member, {
                waiting: asked.get(member.staffId) ?? 0,
                isOpen: member.staffId === person,
              })
            : withoutAccess(),
      ],
    ],
  };
}

/** How the access is given back. */
function withoutAccess(): string {
  return say(
    'Sin acceso. Para devolverlo, invita otra vez con el mismo correo, nombre y rol.',
    'No access. To give it back, invite again with the same e-mail, name and role.',
  );
}

/** What is to be done so that one person never counts as two. */
function rootsNotice(warning: string | null): HtmlValue {
  if (warning === null) return undefined;
  const text =
    warning === 'too-few-roots'
      ? say(
          'Hacen falta dos personas invitadas desde el servidor, y aún no están las dos: pide a quien lo administra que invite a la que falta, con acceso de administración. Mientras tanto, alguien con dos cuentas podría aprobar lo que él mismo pidió.',
          'Two people who were invited from the server are needed, and are not there yet: ask who runs it to invite the one that is missing, with admin access. Until then somebody with two accounts could approve what they asked for.',
        )
      : say(
          'Lo que piden algunas personas o llaves no se puede aprobar, porque no consta quién las dio de alta. En «Cuenta como» dice «nadie todavía»: invita otra vez a esas personas, y cambia esas llaves.',
          'What some people or keys ask for cannot be approved, because nobody knows who added them. Where “Counts as” says “nobody yet”, invite the person again, and replace such keys.',
        );
  return html`<p class="notice">${text}</p>`;
}

/** The person that somebody counts as; nothing before the first sign-in. */
function rootName(member: Rooted | undefined): string {
  if (member === undefined) return '';
  if (member.rootId === null) return say('nadie todavía', 'nobody yet');
  return member.rootId === member.id ? say('sí misma', 'themselves') : (member.rootName ?? '');
}

function inviteForm(visit: Visit): Html {
  return foldedForm(visit, {
    summary: say('Invitar a una persona', 'Invite a person'),
    action: '/personal',
    button: say('Invitar', 'Invite'),
    fields: [
      { name: 'email', label: say('Correo', 'E-mail'), type: 'email' },
      { name: 'name', label: say('Nombre', 'Name') },
      { ...roleField(), value: 'operator' },
      reasonField(),
    ],
  });
}

function waitingLink({ pendingChange }: Member): HtmlValue {
  if (pendingChange == null) return undefined;
  return link(
    `/aprobaciones/${pendingChange.changeRequestId}`,
    say('Espera aprobación de otra persona', 'Waits for another person’s approval'),
  );
}

function roleForm({ viewer }: Visit, { staffId, name, role }: Member): Html {
  return html`<form method="post" action="/personal/${staffId}/rol">
    ${csrfField(viewer)}
    ${control({ ...roleField(), value: role }, `role-${staffId}`, html`aria-label="${say(`Rol de ${name}`, `Role of ${name}`)}"`)}
    ${control({ name: 'reason' }, `reason-${staffId}`, html`aria-label="${say(`Motivo del rol de ${name}`, `Reason of the role of ${name}`)}" placeholder="${say('Motivo', 'Reason')}" required`)}
    <button class="second">${say('Cambiar', 'Change')}</button>
  </form>`;
}

/** Behind a summary: whom it is about, and what of theirs waits and ends with the access. */
function endForm(
  { viewer }: Visit,
  { staffId, name }: Member,
  { waiting, isOpen }: { waiting: number; isOpen: boolean },
): Html {
  const summary = say('Quitar el acceso', 'End the access');
  return html`<details ${isOpen && html`open`}>
    <summary>${summary}</summary>
    <form method="post" action="/personal/${staffId}/baja">
      ${csrfField(viewer)}
      <p>
        ${say(`${name} no podrá entrar, y sus sesiones terminan.`, `${name} cannot sign in any more, and their sessions end.`)}
        ${
          waiting !== 0 &&
          say(
            `Espera aprobación lo que pidió: ${String(waiting)}. Termina sin aplicarse.`,
            `Requests of theirs that wait: ${String(waiting)}. They end undone.`,
          )
        }
      </p>
      <button class="bad">
        ${say(`Sí, quitar el acceso a ${name}`, `Yes, end the access of ${name}`)}
      </button>
    </form>
  </details>`;
}
