import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { fieldOf, type Viewer, type Visit } from './visit';
import type { Say } from './words';

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
export function reasonField(say: Say): Field {
  return { name: 'reason', label: say('Motivo', 'Reason') };
}

/** What was typed there; the API takes no empty one. */
export function reasonIn(visit: Visit): { reason?: string } {
  const reason = fieldOf(visit, 'reason');
  return reason === '' ? {} : { reason };
}

export interface Form {
  action: string;
  fields: Field[];
  button: string;
  kind?: 'main' | 'second' | 'bad';
  hidden?: Record<string, string>;
}

/** The hidden field that every form of a signed-in person has. */
export function csrfField({ csrf }: Viewer): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}" />`;
}

/** A form that only has a button. */
export function buttonForm(
  viewer: Viewer,
  { action, label, kind = 'second' }: { action: string; label: string; kind?: 'main' | 'second' },
): Html {
  return html`<form method="post" action="${action}">
    ${csrfField(viewer)}<button class="${kind}">${label}</button>
  </form>`;
}

/** A form with labelled fields. When the API refused it, with what was typed and what was wrong. */
export function form(
  visit: Visit,
  { action, fields, button, kind = 'main', hidden = {} }: Form,
): Html {
  const path = action.split('?')[0] ?? '';
  const again = isRefused(visit, action);
  const typed = typedIn(visit, action);
  const filled = fields.map((field) => {
    const value = again ? fieldOf(visit, field.name) : typed?.fields[field.name];
    return value === undefined ? field : { ...field, value };
  });
  const refused = again ? (visit.refusal?.message ?? '') : '';
  const id = path.slice(1).replaceAll('/', '-');
  return html`<form
    method="post"
    action="${action}"
    ${typed?.pressedBy !== undefined ? html`data-submit` : NOTHING}
  >
    ${csrfField(visit.viewer)}
    ${Object.entries(hidden).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    ${filled.map((field) => labelled(field, `${id}-${field.name}`, namesField(refused, field), visit.say))}
    <p><button class="${kind}">${button}</button></p>
  </form>`;
}

/** A form behind its summary, open when it was refused. */
export function foldedForm(
  visit: Visit,
  { id, summary, hint, ...asked }: Form & { id?: string; summary: string; hint?: string },
): Html {
  const { action } = asked;
  const isOpen = isRefused(visit, action) || typedIn(visit, action) !== undefined;
  return html`<details
    class="folded"
    ${id === undefined ? NOTHING : html`id="${id}"`}
    ${isOpen ? html`open` : NOTHING}
  >
    <summary>${summary}</summary>
    ${hint === undefined ? NOTHING : html`<p>${hint}</p>`} ${form(visit, asked)}
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

function labelled(field: Field, id: string, isWrong: boolean, say: Say): Html {
  const { label, hint } = field;
  const described = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(isWrong ? [`${id}-problem`] : []),
  ].join(' ');
  const more = html`${described === '' ? NOTHING : html` aria-describedby="${described}"`}
  ${isWrong ? html` aria-invalid="true"` : NOTHING}
  ${field.required === false ? NOTHING : html` required`}`;
  return html`<label for="${id}">${label}</label>
    ${hint === undefined ? NOTHING : html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${
      isWrong
        ? html`<p class="wrong" id="${id}-problem">
            ${say('Este dato no es válido.', 'This value is not valid.')}
          </p>`
        : NOTHING
    }
    ${control(field, id, more)}`;
}

/** What is typed or chosen in a field. */
export function control(
  { name, type = 'text', value = '', options, inputmode, isFile }: Omit<Field, 'label'>,
  id: string,
  more: Html,
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
      ${inputmode === undefined ? NOTHING : html`inputmode="${inputmode}"`}
      ${more}
    />`;
  }
  // A value that is no option stays chosen: a browser would send the first one, which may mean all.
  const isOption = value === '' || options.some(([option]) => option === value);
  return html`<select id="${id}" name="${name}" ${more}>
    ${(isOption ? options : [[value, value] as const, ...options]).map(
      ([option, text]) =>
        html`<option value="${option}" ${option === value ? html`selected` : NOTHING}>
          ${text}
        </option>`,
    )}
  </select>`;
}
