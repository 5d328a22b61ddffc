import { SCOPES_OF_KIND } from '@fiado/contracts/caller';
import { html, type Html } from '@fiado/chassis/html';
import type { OperationId } from '@fiado/ops-client/operations';
import { bodyFields } from './body';
import { fieldOf, type Viewer, type Visit } from './visit';
import { roleName, say } from './words';

/** Longest text of a field, in characters: the API's own limits are below it. */
const MAX_TEXT = 1000;

export interface Field {
  /** As in the API's body, so that its problems can be shown where they are. */
  name: string;
  label: string;
  type?: 'text' | 'email' | 'date' | 'search';
  /** What is valid, beneath the label. */
  hint?: string;
  required?: boolean;
  value?: string;
  /** Makes it a choice among these. */
  options?: ReadonlyArray<readonly [value: string, name: string]>;
  /** An amount or a rate: phones show digits. */
  inputmode?: 'decimal';
  /** A text of many lines, which a script also takes from a file. */
  isFile?: boolean;
}

/** Why a change is made or asked for: who decides on it and who reads its history see it. */
export function reasonField(): Field {
  return { name: 'reason', label: say('Motivo', 'Reason'), required: true };
}

/** A field of a day. */
export function dateField(name: string, label: string, value = ''): Field {
  return { name, label, type: 'date', value };
}

/** The field of a reason, or another one, that is chosen among values with names. */
export function choice<Value extends string>(
  label: string,
  values: readonly Value[],
  nameOf: (value: Value) => string,
  name = 'reason',
): Field {
  return { name, label, options: values.map((one) => [one, nameOf(one)] as const) };
}

/** A field that is yes or no. */
export function yesOrNoField(name: string, label: string, isYes: boolean): Field {
  const options = [['true', say('sí', 'yes')] as const, ['false', 'no'] as const];
  return { name, label, value: String(isYes), options, required: true };
}

/** The field of a person's or a key's role. */
export function roleField(name = 'role'): Field {
  const hint = say(
    'Consulta ve todo, menos nombres, teléfonos e imágenes. Operación hace el trabajo diario y ve los datos personales. Aprobación, además, autoriza crédito y revierte dinero. Administración, además, maneja mayoristas, proveedores, llaves y personal.',
    'A viewer sees all but names, phones and images. An operator does the daily work and sees personal data. An approver also grants credit and reverses money. An admin also manages wholesalers, providers, keys and staff.',
  );
  const roles = choice(say('Rol', 'Role'), SCOPES_OF_KIND.ops, (role) => roleName(role), name);
  return { ...roles, hint };
}

export interface Form {
  action: string;
  /** Without any it asks for a reason. */
  fields?: Field[];
  button: string;
  kind?: 'main' | 'second' | 'bad';
  /** Another button, which sends the form with one more field, also where others are not filled. */
  other?: { label: string; name: string; value: string };
  hidden?: Record<string, string>;
  /** Whose body the fields are: what they do not say themselves is as the API document says. */
  operation?: OperationId;
}

/** The hidden field that every form of a signed-in person has. */
export function csrfField({ csrf }: Viewer): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}" />`;
}

/** A form that only has a button. */
export function buttonForm(
  viewer: Viewer,
  action: string,
  label: string,
  kind: 'main' | 'second' = 'second',
): Html {
  return html`<form method="post" action="${action}">
    ${csrfField(viewer)}<button class="${kind}">${label}</button>
  </form>`;
}

/** A form with labelled fields. When the API refused it, with what was typed and what was wrong. */
export function form(
  visit: Visit,
  { action, fields = [reasonField()], button, kind = 'main', other, hidden = {}, operation }: Form,
): Html {
  const path = action.split('?')[0] ?? '';
  const again = isRefused(visit, action);
  const typed = typedIn(visit, action);
  const filled = fields.map((field) => {
    const value = again ? fieldOf(visit, field.name) : typed?.fields[field.name];
    return {
      ...documented(operation, field.name),
      ...field,
      ...(value !== undefined && { value }),
    };
  });
  const refused = again ? (visit.refusal?.message ?? '') : '';
  const id = path.slice(1).replaceAll('/', '-');
  return html`<form
    method="post"
    action="${action}"
    ${typed?.pressedBy !== undefined && html`data-submit`}
  >
    ${csrfField(visit.viewer)}
    ${Object.entries(hidden).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    ${filled.map((field) => labelled(field, `${id}-${field.name}`, namesField(refused, field)))}
    <p>
      <button class="${kind}">${button}</button>
      ${
        other !== undefined &&
        html`<button class="second" name="${other.name}" value="${other.value}" formnovalidate>
          ${other.label}
        </button>`
      }
    </p>
  </form>`;
}

/** Behind a summary, the form of who decides against something, with the reason. */
export function rejectForm(visit: Visit, action: string, label?: string): Html {
  const { req, typed } = visit;
  const path = action.split('?')[0] ?? '';
  const reason = reasonField();
  const name = say('Rechazar', 'Reject');
  return html`<details ${[req.path, typed?.action].includes(path) && html`open`}>
    <summary>${name}</summary>
    ${form(visit, { action, fields: [{ ...reason, label: label ?? reason.label }], button: name, kind: 'bad' })}
  </details>`;
}

/** Whether a field must be filled, and whether it takes a number. */
function documented(operation: OperationId | undefined, name: string): Partial<Field> {
  const field = operation && bodyFields(operation).find(({ path }) => path.at(-1) === name);
  if (field === undefined) return {};
  const isNumber = ['number', 'rate', 'integer'].includes(field.type);
  return { required: field.isRequired, ...(isNumber && { inputmode: 'decimal' }) };
}

/** A form behind its summary, which its button says too unless it has a text of its own. Open when it was refused. */
export function foldedForm(
  visit: Visit,
  {
    id,
    summary,
    hint,
    button = summary,
    ...asked
  }: Omit<Form, 'button'> & { id?: string; summary: string; hint?: string; button?: string },
): Html {
  const { action } = asked;
  const isOpen = isRefused(visit, action) || typedIn(visit, action) !== undefined;
  const content = html`${hint !== undefined && html`<p>${hint}</p>`}
  ${form(visit, { ...asked, button })}`;
  // Browsers open what is folded when a link leads to an id inside it, and not to that of the details.
  return html`<details class="folded" ${isOpen && html`open`}>
    <summary>${summary}</summary>
    ${id === undefined ? content : html`<div id="${id}">${content}</div>`}
  </details>`;
}

function isRefused({ refusal, req }: Visit, action: string): boolean {
  return refusal !== undefined && req.path === action.split('?')[0];
}

/** What was typed in the form of that action before a sign-in. */
function typedIn({ typed }: Visit, action: string): Visit['typed'] {
  return typed?.action === action.split('?')[0] ? typed : undefined;
}

/** Whether one of the API's problems, such as `reason is empty; name must be…`, is this field's. */
function namesField(problems: string, { name }: Field): boolean {
  return problems.split('; ').some((problem) => problem.startsWith(`${name} `));
}

function labelled(field: Field, id: string, isWrong: boolean): Html {
  const { label, hint, inputmode } = field;
  const described = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(isWrong ? [`${id}-problem`] : []),
  ].join(' ');
  const more = html`${described !== '' && html` aria-describedby="${described}"`}
  ${isWrong && html` aria-invalid="true"`} ${field.required !== false && html` required`}`;
  return html`<label for="${id}">${label}</label>
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${
      isWrong &&
      html`<p class="wrong" id="${id}-problem">
        ${say('Este dato no es válido.', 'This value is not valid.')}
        ${inputmode !== undefined && say('Escríbelo con números, como 25,000 o 5.5.', 'Write it in digits, such as 25,000 or 5.5.')}
      </p>`
    }
    ${control(field, id, more)}`;
}

/** What is typed or chosen in a field. */
export function control(
  { name, type = 'text', value = '', options, inputmode, isFile }: Omit<Field, 'label'>,
  id: string,
  more?: Html,
): Html {
  if (isFile === true) {
    return html`<textarea id="${id}" name="${name}" rows="6" data-file ${more}>${value}</textarea>`;
  }
  if (options === undefined) {
    return html`<input
      id="${id}"
      name="${name}"
      type="${type}"
      value="${value}"
      maxlength="${String(MAX_TEXT)}"
      ${inputmode !== undefined && html`inputmode="${inputmode}"`}
      ${more}
    />`;
  }
  // A value that is no option stays chosen: a browser would send the first one, which may mean all.
  const isOption = value === '' || options.some(([option]) => option === value);
  return html`<select id="${id}" name="${name}" ${more}>
    ${(isOption ? options : [[value, value] as const, ...options]).map(
      ([option, text]) =>
        html`<option value="${option}" ${option === value && html`selected`}>${text}</option>`,
    )}
  </select>`;
}
